// Nothing that a browser is asked for is waited for without an end: a browser that hangs costs its test, not the run.

/** Milliseconds for a browser, or a page in it, to start. */
export const START_MS = 20_000;
/** Milliseconds for a command. */
export const COMMAND_MS = 30_000;
/** Milliseconds for a page or a browser to go. */
export const CLOSE_MS = 5_000;

/**
 * Returns what a promise brings, or throws when that takes too long.
 * @template T
 * @param {number} ms
 * @param {T | PromiseLike<T>} promise
 * @param {string} what in words
 * @returns {Promise<Awaited<T>>}
 */
export async function within(ms, promise, what) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, /** @type {Promise<never>} */ (late)]);
  } finally {
    clearTimeout(timer);
  }
}
