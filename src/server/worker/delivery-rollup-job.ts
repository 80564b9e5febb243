import type { LoopTrouble } from '#server/observability/troubles/loop-troubles.ts'
import { RepeatedWork } from './repeated-work.ts'

export interface RollupPorts {
  /** Counts the next five minutes; false where none are over. `rest` is waited for between two readings. */
  readonly rollUpNext: (rest: (tookMs: number) => Promise<void>) => Promise<boolean>
  /** The store's, which is told seldom. */
  readonly trouble: LoopTrouble
}

/** How soon five minutes that are over are counted, in milliseconds. */
const lookEvery = 15_000

/** What is being caught up on leaves the store to others for nine tenths of the time, as retention does. */
const restTimes = 9
const leastRestMs = 25

/** Counts what came of deliveries for the console's charts: docs/decisions/0189. In several processes they may do it twice. */
export class DeliveryRollupJob {
  readonly #ports: RollupPorts
  readonly #loop = new RepeatedWork(() => this.#step())

  constructor(ports: RollupPorts) {
    this.#ports = ports
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** @returns how long to wait for the next one, in milliseconds */
  async #step(): Promise<number> {
    const { rollUpNext, trouble } = this.#ports
    const begunAt = performance.now()
    try {
      const isCounted = await rollUpNext((tookMs) => this.#loop.pause(restAfter(tookMs)))
      trouble.notMet()
      return isCounted ? restAfter(performance.now() - begunAt) : lookEvery
    } catch (error) {
      trouble.met(error)
      return lookEvery
    }
  }
}

const restAfter = (tookMs: number): number => Math.max(leastRestMs, tookMs * restTimes)
