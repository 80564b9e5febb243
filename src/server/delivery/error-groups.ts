/** What is owed, or was not taken: each of them waits for the distributor, or for an operator. */
export const failedStandings = ['waiting', 'dead', 'rejected'] as const

export type FailedStanding = (typeof failedStandings)[number]

/** Leads that the distributor answered alike, or did not answer. Times are epoch milliseconds. */
export interface ErrorGroup {
  /** What the leads are found by, in the place of an error. */
  readonly id: string
  /** As in `LeadFilter`. */
  readonly error: string
  /** What the distributor said, without personal data; empty where it said nothing. */
  readonly words: string
  readonly leads: Readonly<Record<FailedStanding, CountedLeads>>
  /** When the first and the last of them failed, by their last attempt each. */
  readonly firstAt: number
  readonly lastAt: number
  /** The reference of the lead that failed last. */
  readonly example: string
}

export interface CountedLeads {
  readonly count: number
  /** False where not all were counted. */
  readonly isAll: boolean
}

export interface ErrorGroups {
  /** Those that have a lead, the largest first. */
  list(): Promise<readonly ErrorGroup[]>
  /** What was said in those of these that there are, by their ids. */
  wordsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}
