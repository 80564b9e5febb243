import type { Logger } from 'pino'
import { Trouble } from './trouble.ts'

/** What the log is told of one loop's luck. */
export type LoopTrouble = Pick<Trouble, 'met' | 'notMet'>

/**
 * The loops of a process meet an outage of the store together: it is one trouble, told with the first that met it, and not
 * as many as there are loops.
 */
export function makeLoopTroubles(log: Logger): (work: string) => LoopTrouble {
  const trouble = new Trouble(log, {
    begins: 'what runs by itself is held up, and is tried again until it goes on',
    ends: 'what runs by itself goes on',
  })
  return (work) => ({
    met: (error, about) => trouble.met(error, { work, ...about }),
    notMet: () => trouble.notMet(),
  })
}
