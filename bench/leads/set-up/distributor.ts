import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Workshop } from '../../bench.ts'
import { endProcess } from '../../served/end-process.ts'

export interface Order {
  /** So many arrivals from now on are not timed: the first seconds of a process are its compiler's. */
  readonly skip: number
  readonly count: number
}

/** What was timed, with the last of the requests as it came. */
export interface Arrival {
  readonly perSecond: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Distributor {
  readonly url: string
  /** Resolves when the last of them has come. */
  time(order: Order): Promise<Arrival>
}

/** A stand-in in a process of its own, a bare Node server, that says success after `delayMs` milliseconds. */
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
