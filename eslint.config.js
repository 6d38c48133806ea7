// What the linter asks of the pages and of their checks, beyond its recommended rules.
import js from "@eslint/js";
import globals from "globals";

const markup = "Names are text, never markup: build elements with dom.js.";
const asText = ["innerHTML", "outerHTML", "insertAdjacentHTML", "setHTMLUnsafe", "createContextualFragment"].map(
  (property) => ({
    property,
    message: markup,
  }),
);

export default [
  { ignores: ["target/", "node_modules/", "tests/browser/shots/"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      "default-case-last": "error",
      eqeqeq: "error",
      "max-lines": ["error", { max: 400 }],
      "max-lines-per-function": ["error", { max: 70, skipBlankLines: true, skipComments: true }],
      "no-else-return": "error",
      "no-eval": "error",
      "no-implicit-coercion": ["error", { boolean: false }],
      "no-implied-eval": "error",
      "no-param-reassign": "error",
      "no-promise-executor-return": "error",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-throw-literal": "error",
      "no-unmodified-loop-condition": "error",
      "no-unused-vars": ["error", { args: "all", argsIgnorePattern: "^_" }],
      "no-useless-rename": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  {
    files: ["www/**/*.js"],
    languageOptions: { ecmaVersion: 2022, globals: globals.browser },
    rules: {
      "no-alert": "error",
      "no-console": "error",
      "no-restricted-properties": [
        "error",
        ...asText,
        { object: "document", property: "write", message: markup },
        { object: "document", property: "writeln", message: markup },
        { object: "crypto", property: "randomUUID", message: "Only in secure contexts, and a phone's is not one." },
        { object: "crypto", property: "subtle", message: "Only in secure contexts, and a phone's is not one." },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.property.name='setAttribute'][arguments.0.value='style']",
          message: "The policy forbids it: set properties of element.style.",
        },
      ],
    },
  },
  {
    // Every browser must parse it, also one that is too old for the rest, to say so.
    files: ["www/js/start-guard.js"],
    languageOptions: { ecmaVersion: 5, sourceType: "script", globals: { ...globals.browser, Promise: "readonly" } },
    rules: {
      "no-unused-vars": ["error", { caughtErrors: "none" }],
      "no-var": "off",
      "object-shorthand": "off",
      "prefer-template": "off",
    },
  },
  {
    files: ["tests/**", "eslint.config.js"],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    // A test tells a story from top to bottom; cutting it up would hide it.
    rules: { "max-lines-per-function": "off", "no-shadow": "off" },
  },
];
