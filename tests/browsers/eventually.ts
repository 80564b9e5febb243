/** Longer than anything takes on a busy machine: only what never comes waits so long. */
const PATIENCE_MS = 30_000
/** For one command of a protocol: starting a browser is one. */
export const commandTimeoutMs = 60_000
const POLL_MS = 50

/** Tries until it does not throw; then gives what it returned. At the end of all patience its last error is thrown. */
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
