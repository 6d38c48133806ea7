// Gives each command to a browser a deadline, so that a browser that hangs fails its test and does not stop the run.

/** Milliseconds for a browser, or a page in it, to start. */
export const START_MS = 20_000;
/** Milliseconds for a command. */
export const COMMAND_MS = 30_000;
/** Milliseconds for a page or a browser to close. */
export const CLOSE_MS = 5_000;

/**
 * Returns the result of a promise, or throws if it takes too long.
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
