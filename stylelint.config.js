// What the style sheets must keep to: the standard rules without those of taste, and motion that a
// small board's GPU draws alone, without layout or paint.
import stylelint from "stylelint";

const ruleName = "doozer/moves-by-transform-and-opacity";
const MOVING = new Set(["transform", "opacity", "scale", "rotate", "translate"]);
const messages = stylelint.utils.ruleMessages(ruleName, {
  rejected: (/** @type {string} */ what) =>
    `"${what}" would be laid out or painted in every frame: move by transform and opacity`,
});

/** @type {import("stylelint").Rule} */
const movesOnly = (on) => (root, result) => {
  if (!on) return;
  /** @type {(node: import("postcss").Node, what: string) => void} */
  const reject = (node, what) => stylelint.utils.report({ ruleName, result, node, message: messages.rejected(what) });
  root.walkAtRules(/^keyframes$/i, (frames) => {
    frames.walkDecls((declaration) => {
      if (!MOVING.has(declaration.prop) && !declaration.prop.startsWith("animation-"))
        reject(declaration, declaration.prop);
    });
  });
  root.walkDecls(/^transition(-property)?$/i, (declaration) => {
    // Time values and curves with commas of their own stand in brackets.
    for (const part of declaration.value.replace(/\([^()]*\)/g, "").split(",")) {
      const what = part.trim().split(/\s+/)[0] ?? "";
      if (!MOVING.has(what) && what !== "none") reject(declaration, what);
    }
  });
};
movesOnly.ruleName = ruleName;
movesOnly.messages = messages;

/** @type {import("stylelint").Config} */
export default {
  extends: "stylelint-config-standard",
  plugins: [stylelint.createPlugin(ruleName, movesOnly)],
  rules: {
    [ruleName]: true,
    "function-url-scheme-allowed-list": [],
    // Names of fonts are written as their makers do.
    "value-keyword-case": ["lower", { ignoreProperties: ["/^--font/", "font-family"] }],
    "declaration-block-no-redundant-longhand-properties": null,
    // Ids are the pages' landmarks; a rule for one may follow a more specific one.
    "no-descending-specificity": null,
    // Where blank lines stand is a matter of reading.
    "at-rule-empty-line-before": null,
    "comment-empty-line-before": null,
    "custom-property-empty-line-before": null,
    "declaration-empty-line-before": null,
    "rule-empty-line-before": null,
    "declaration-block-single-line-max-declarations": null,
  },
};
