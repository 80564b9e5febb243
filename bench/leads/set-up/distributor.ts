import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Workshop } from '../../bench.ts'
import { endProcess } from '../../served/end-process.ts'

export interface Order {
  /**
   * The number of next arrivals that are not timed, because Node still compiles the code in a process's first seconds.
   */
  readonly skip: number
  readonly count: number
}

/** The timed arrivals, and the last request as it arrived. */
export interface Arrival {
  readonly perSecond: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Distributor {
  readonly url: string
  /** Resolves when the last of them has arrived. */
  time(order: Order): Promise<Arrival>
}

/** Starts a distributor in a separate process: a bare Node server that answers success after `delayMs` milliseconds. */
export async function startDistributor({ atEnd }: Workshop, delayMs: number): Promise<Distributor> {
  const child = fork(new URL('./distributor-process.ts', import.meta.url), [String(delayMs)])
  atEnd(() => endProcess(child))
  const [port] = await once(child, 'message')
  return {
    url: `http://127.0.0.1:${port}/incoming/leads`,
    time: async (order) => {
      const timed = once(child, 'message')
      child.send(order)
      const [arrival] = await timed
      return arrival
    },
  }
}
