import type { SessionAge } from '#server/operators/sessions/operator-sessions.ts'

/** Leads that lists have followed, at once. */
export interface LeadNews {
  /** Counts up. */
  readonly seq: number
  /** Their references. */
  readonly leads: readonly string[]
}

export interface LiveOrder {
  /** The last that is known. */
  readonly after: number
  /** Whose streams are open, by the sessions' ids. */
  readonly sessions: readonly string[]
  readonly age: SessionAge
}

/** What is looked at once a second, in one statement. */
export interface LiveLook {
  /** The newest there is; 0 where none is. */
  readonly seq: number
  /** The oldest first; undefined where they are too many, or gone. */
  readonly news: readonly LeadNews[] | undefined
  /** A word that changes with what holds deliveries up. */
  readonly deliveries: string
  /** And one that changes with how the jobs stand that have not ended. */
  readonly jobs: string
  /** Those of the sessions that are still open. */
  readonly openSessions: readonly string[]
}

export interface LiveStore {
  look(order: LiveOrder): Promise<LiveLook>
}
