import { AdaptiveThrottle } from '../adaptive-throttle.ts'
import type { HeldJob } from '../job-store.ts'

/**
 * The way to PostgreSQL takes longer than the work, and on a busy machine that to SQLite's thread: one at a time, a hundred
 * thousand leads would take hours.
 */
const leastAtOnce = 32

/** More than what runs by itself takes: an operator waits for it, and has said how fast it may be. */
const shareOfTime = 1 / 3

/** To write down a lead's id takes an eighth of what an act on it does. */
const gatheredForOne = 8

/** Read at once while a plan is made: no visitor waits for who reads. */
const plannedAtOnce = 500
const leastPlanPauseMs = 10

/** However long a batch has waited for its turn, the job is looked at again before its lease ends. */
const mostPauseMs = 5000

/** How much of a job to do at once, and how long to wait then: at a pace that visitors do not feel, and at its own rate. */
export class JobPace {
  readonly #pace = new AdaptiveThrottle(leastAtOnce, shareOfTime)

  next({ phase, members, done, rate }: HeldJob): number {
    if (phase === 'planning') return plannedAtOnce
    if (phase === 'gathering') return this.#pace.next(Number.MAX_SAFE_INTEGER) * gatheredForOne
    // Twice a second at least: a rate is not to come in gusts.
    return this.#pace.next(Math.max(1, Math.min(members - done, rate / 2)))
  }

  /** @returns how long to wait for the next step, in milliseconds */
  took(ms: number, leads: number, { phase, rate }: HeldJob): number {
    if (phase === 'planning') return Math.max(leastPlanPauseMs, Math.min(ms, mostPauseMs))
    const pause = this.#pace.took(ms, phase === 'gathering' ? leads / gatheredForOne : leads)
    const asAsked = phase === 'running' ? (leads * 1000) / rate - ms : 0
    return Math.min(Math.max(pause, asAsked), mostPauseMs)
  }
}
