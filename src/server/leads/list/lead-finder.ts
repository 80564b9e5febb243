import type { Lead } from '#domain/lead/lead.ts'
import type { LeadFilter } from '#domain/lead/lead-filter.ts'

export type LeadPlace = Pick<Lead, 'id' | 'receivedAt'>

export interface LeadSearch {
  readonly filter: LeadFilter
  /** Of a person: one of them is the lead's. Undefined where nobody is searched for. */
  readonly keys: readonly string[] | undefined
  /** Beyond this place. */
  readonly after?: LeadPlace | undefined
  readonly towards: 'older' | 'newer'
  readonly take: number
  /** Epoch milliseconds: a lease that has ended is none. */
  readonly now: number
}

/** What a lead was found by. */
export interface FoundLead extends LeadPlace {
  /** Null once erased, as are the rest; and where it has none. */
  readonly affiliate: string | null
  readonly state: string | null
  readonly isVerified: boolean | null
  /** In one word, how the last attempt failed. */
  readonly error: string | null
}

export interface FoundLeads {
  readonly leads: readonly FoundLead[]
  /** From where to go on; undefined where there is nothing more. */
  readonly next: LeadPlace | undefined
  /**
   * Set where the page is not full and all were not looked at: those received before it were not (those after it, where
   * it goes towards the newer). Epoch milliseconds.
   */
  readonly lookedUntil: number | undefined
}

export interface LeadCount {
  readonly leads: number
  /** False where there are more, or may be. */
  readonly isAll: boolean
}

/** A page, and how many there are from the newest on. */
export interface CountedPage extends FoundLeads {
  readonly count: LeadCount
}

export interface LeadFinder {
  find(search: LeadSearch): Promise<FoundLeads>
  findAndCount(search: LeadSearch): Promise<CountedPage>
  count(search: Pick<LeadSearch, 'filter' | 'keys' | 'now'>): Promise<LeadCount>
  /** What a text that an operator typed may stand for; empty where it can be nothing that is searched by. */
  keysOf(text: string): Promise<readonly string[]>
  readonly searches: LeadSearches
}

/** What somebody searched for, under an opaque id. */
export interface LeadSearches {
  /** Resolves with its id. */
  keep(operatorId: string, keys: readonly string[], now: number): Promise<string>
  /** Undefined where it is another operator's, too old, or never was. */
  find(id: string, operatorId: string, now: number): Promise<readonly string[] | undefined>
}
