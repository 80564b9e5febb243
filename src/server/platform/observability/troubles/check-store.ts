import type { Logger } from 'pino'
import { cannotSubmit } from '../../faults/why-not-stored.ts'
import { Trouble } from './trouble.ts'

/** The same check; the log says, for those whom it keeps visitors away from, when it fails and when no longer. */
export function makeCheckStore(ready: () => Promise<void>, log: Logger): () => Promise<void> {
  const trouble = new Trouble(log, {
    begins: (error) => `not ready: ${cannotSubmit(error)}`,
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
