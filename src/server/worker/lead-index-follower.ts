import type { Trouble } from '#server/observability/troubles/trouble.ts'
import { RepeatedWork } from './repeated-work.ts'

export interface FollowerPorts {
  /** Brings so many changes into the index. */
  readonly follow: (
    take: number,
  ) => Promise<{ readonly changes: number; readonly mayBeMore: boolean }>
  /** The store's, which is told seldom. */
  readonly trouble: Pick<Trouble, 'met' | 'notMet'>
}

/** While a batch is written on SQLite, whoever enquires waits for it: a few milliseconds. */
const batchSize = 100

/** How soon a change is seen, in milliseconds: a look where nothing has changed reads one row. */
const lookEvery = 500

/** Of a store that is busy the rest of the time belongs to others: docs/decisions/0180 has what it costs them. */
const shareOfTime = 0.2

/** Lets the console's lists follow what happens. It may run in several processes: the store lets one at it at a time. */
export class LeadIndexFollower {
  readonly #ports: FollowerPorts
  readonly #loop = new RepeatedWork(() => this.#step())

  constructor(ports: FollowerPorts) {
    this.#ports = ports
  }

  start(): void {
    this.#loop.start()
  }

  /** Finishes the batch under way. */
  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** @returns how long to wait for the next one, in milliseconds */
  async #step(): Promise<number> {
    const { follow, trouble } = this.#ports
    const begunAt = performance.now()
    try {
      const { changes, mayBeMore } = await follow(batchSize)
      trouble.notMet()
      if (!mayBeMore || changes === 0) return lookEvery
      return (performance.now() - begunAt) * (1 / shareOfTime - 1)
    } catch (error) {
      trouble.met(error)
      return lookEvery
    }
  }
}
