import type { EmailAddress } from '#server/platform/email-address.ts'

/** What the erasure of a person came to. */
export interface ErasedPerson {
  readonly leads: number
  /** Deliveries that were still owed and will not be made. */
  readonly stopped: number
  /** Deliveries that a worker had at that moment: the distributor may get them all the same. */
  readonly underWay: number
  /** Leads that the distributor had taken before. */
  readonly delivered: number
  /**
   * The ids of leads that correct the erased ones, or were corrected by them, and are left: they name somebody else, or
   * one lead alone was asked for.
   */
  readonly linked: readonly string[]
  /** As in {@link FoundPerson}. */
  readonly unsearched: readonly string[]
  /**
   * `wiped`: no file of the store holds the bytes any more. `wipe again`: another process is reading; they are gone
   * from the tables, and a later call wipes them. `left to the database`: PostgreSQL removes them when it vacuums.
   */
  readonly bytes: 'wiped' | 'wipe again' | 'left to the database'
}

export interface FoundPerson {
  /** The ids of the leads that `erase` would erase. */
  readonly ids: readonly string[]
  /** The ids of leads that could not be searched by the address, as none can be read in them: they may be the person's. */
  readonly unsearched: readonly string[]
}

/**
 * By the address in the leads; or by one lead's id, which visitors are given as their reference number: it still leads
 * to a proof of consent when retention has erased the address.
 */
export type PersonToErase = EmailAddress | { readonly leadId: string }

export interface PersonErasure {
  find(person: PersonToErase): Promise<FoundPerson>
  /** How many leads of theirs hold anything of the person. */
  count(person: PersonToErase): Promise<number>
  /**
   * Erases what identifies the person in all these leads. Ids, times, outcomes, area and program stay, and of
   * the consent what was agreed to, when, and on which page.
   */
  erase(person: PersonToErase, now: number): Promise<ErasedPerson>
}
