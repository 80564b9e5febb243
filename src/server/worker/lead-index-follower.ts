import type { LoopTrouble } from '#server/observability/troubles/loop-troubles.ts'
import type { LeadNews } from '#server/use-cases/live/live-news.ts'
import { VisitorsPace } from '#server/use-cases/visitors-pace.ts'
import { RepeatedWork } from './repeated-work.ts'

interface Followed {
  readonly changes: number
  readonly mayBeMore: boolean
  readonly news?: LeadNews
}

export interface FollowerPorts {
  /** Brings so many changes into the index. */
  readonly follow: (take: number) => Promise<Followed>
  /** Told what it has brought into it. */
  readonly onNews?: (news: LeadNews) => void
  /** The store's, which is told seldom. */
  readonly trouble: LoopTrouble
}

/** So that several hundred changes a second are followed where each look takes its way over a network. */
const leastAtOnce = 32

/** How soon a change is seen, in milliseconds: a look where nothing has changed reads one row. */
const lookEvery = 500

/** Lets the console's lists follow what happens. It may run in several processes: the store lets one at it at a time. */
export class LeadIndexFollower {
  readonly #ports: FollowerPorts
  /** After a move or an upgrade every lead is a change: whoever enquires meanwhile is not to feel it. */
  readonly #pace = new VisitorsPace(leastAtOnce)
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
    const { follow, onNews, trouble } = this.#ports
    const begunAt = performance.now()
    try {
      const { changes, mayBeMore, news } = await follow(this.#pace.next(Number.MAX_SAFE_INTEGER))
      trouble.notMet()
      if (news !== undefined) onNews?.(news)
      const pause = this.#pace.took(performance.now() - begunAt, changes)
      if (!mayBeMore || changes === 0) return lookEvery
      return pause
    } catch (error) {
      trouble.met(error)
      return lookEvery
    }
  }
}
