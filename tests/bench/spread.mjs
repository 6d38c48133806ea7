// Median and spread of several measurements.

/** @param {number[]} values @param {number} part of 1 */
export function percentile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

/** Prints `median (least – largest)`. @param {number[]} values @param {number} [digits] */
export function spread(values, digits = 0) {
  const [middle = "", least = "", most = ""] = [0.5, 0, 1].map((part) => percentile(values, part).toFixed(digits));
  return `${middle} (${least} – ${most})`;
}
