import { addMonths, type Day } from '#domain/calendar.ts'

/** The leads of an affiliate's statement that have the same payout. */
export interface StatementLine {
  /** US cents for one lead; null without a payout. */
  readonly payoutCents: number | null
  readonly accepted: number
  /** Returned leads that were accepted on the same statement. */
  readonly returned: number
  /** Returned leads that were accepted on an earlier statement. */
  readonly reversed: number
  /** What the affiliate gets, in US cents; negative if more leads were returned than accepted. */
  readonly owedCents: number
}

export type StatementSums = Omit<StatementLine, 'payoutCents'>

/** What an affiliate is owed for a month. An open statement still changes; a closed one never does. */
export interface Statement extends StatementSums {
  /** The affiliate's own id. */
  readonly affiliate: string
  /** The affiliate's name; for a closed statement, its name on that day. */
  readonly name: string
  /** The month's first day. */
  readonly month: Day
  /** Undefined for an open statement. */
  readonly closed: { readonly at: number; readonly by: string } | undefined
  readonly lines: readonly StatementLine[]
}

export const sumStatementLines = (lines: readonly StatementLine[]): StatementSums => {
  const add = (measure: keyof StatementSums) => lines.reduce((sum, line) => sum + line[measure], 0)
  return {
    accepted: add('accepted'),
    returned: add('returned'),
    reversed: add('reversed'),
    owedCents: add('owedCents'),
  }
}

/** Whether an admin has yet to close a statement. Without leads, there is nothing to freeze. */
export const awaitsClosing = ({ closed, lines }: Pick<Statement, 'closed' | 'lines'>): boolean =>
  closed === undefined && lines.length > 0

/**
 * Finds the first month whose late entries are on the open statement of a month: an entry that comes after its own
 * month was closed is on the next open statement.
 * @param closed the closed months
 */
export function findFirstMonth(month: Day, closed: ReadonlySet<Day>): Day {
  const before = addMonths(month, -1)
  return closed.has(before) ? findFirstMonth(before, closed) : month
}
