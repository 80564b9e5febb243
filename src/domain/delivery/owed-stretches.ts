import type { Settlement } from './delivery.ts'
import type { OutcomeName } from './outcome.ts'

/** How a delivery had ended before it was owed again. Times are epoch milliseconds. */
export interface Ending {
  readonly settledAs: Settlement
  readonly settledAt: number
  readonly isByHand: boolean
  readonly owedAgainAt: number
}

/** A while in which a lead was owed. */
export interface Stretch {
  readonly since: number
  readonly until: number
}

interface Owed {
  /** When it came, or was let out of quarantine; and when it was settled, or now. */
  readonly since: number
  readonly until: number
  readonly endings: readonly Ending[]
  readonly attempts: readonly {
    readonly startedAt: number
    readonly durationMs: number
    readonly outcome: OutcomeName
  }[]
}

/** When the lead was owed: not between an end and the retry after it. The first first. */
export function owedStretches({ since, until, endings, attempts }: Owed): readonly Stretch[] {
  const noted = endings.map(({ settledAt, owedAgainAt }) => ({ from: settledAt, to: owedAgainAt }))
  // Of a retry that nobody noted the attempt after a rejection tells: it was owed then at the latest.
  const told = attempts.flatMap(({ startedAt, durationMs, outcome }, index) => {
    const next = attempts[index + 1]
    if (outcome !== 'rejected' || next === undefined) return []
    const gap = { from: startedAt + durationMs, to: next.startedAt }
    const isNoted = noted.some(({ from, to }) => from <= gap.to && to >= gap.from)
    return isNoted ? [] : [gap]
  })
  const gaps = [...noted, ...told].toSorted((one, other) => one.from - other.from)
  const begins = [since, ...gaps.map(({ to }) => to)]
  const ends = [...gaps.map(({ from }) => from), until]
  return begins
    .map((begin, index) => ({ since: begin, until: ends[index] ?? until }))
    .filter((stretch) => stretch.until > stretch.since)
}
