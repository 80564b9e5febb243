import type { Logger } from 'pino'
import { Trouble } from './trouble.ts'

/** The same check; the log says, for those whom it keeps visitors away from, when it fails and when no longer. */
export function makeCheckStore(ready: () => Promise<void>, log: Logger): () => Promise<void> {
  const trouble = new Trouble(log, {
    begins: 'not ready: the store cannot be used',
    ends: 'ready: the store can be used again',
  })
  return async () => {
    try {
      await ready()
      trouble.notMet()
    } catch (error) {
      trouble.met(error)
      throw error
    }
  }
}
