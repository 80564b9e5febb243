import { setTimeout } from 'node:timers/promises'

/** For two seconds. */
const maxTries = 10
const pauseMs = 200

/**
 * Copies SQLite's write-ahead log into the file and cuts it to nothing: it holds pages as they were before an erasure.
 * Another connection that reads or writes at that moment stands in the way; then it is tried again, as waiting for it
 * would make whoever enquires wait, too.
 * @param truncate resolves with whether it could
 */
export async function truncateLog(
  truncate: () => Promise<boolean>,
): Promise<'wiped' | 'wipe again'> {
  for (let tries = 1; ; tries++) {
    if (await truncate()) return 'wiped'
    if (tries === maxTries) return 'wipe again'
    await setTimeout(pauseMs)
  }
}
