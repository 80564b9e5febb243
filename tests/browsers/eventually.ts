/** Longer than anything takes on a busy machine, so only a missing event waits this long. */
const PATIENCE_MS = 30_000
/** The limit for a protocol's command, such as starting a browser. */
export const commandTimeoutMs = 60_000
const POLL_MS = 50

/** Repeats an attempt until it succeeds, and returns its result. After 30 s it throws the last error. */
export async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > giveUpAt) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
