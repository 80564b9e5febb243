import type { Generated } from 'kysely'
import type { Area } from '#domain/area.ts'
import type { Settlement } from '#domain/delivery/delivery.ts'

/**
 * Lists, search and counts read these tables. A lead's row is inserted with the lead; triggers change it in the transaction that
 * changes the lead or its delivery (migration 0024).
 */
export interface LeadIndexTables {
  /** Leads that a process of the previous release has stored: their rows lack the answers and the keys. */
  leads_to_index: {
    lead_id: string
  }
  /** Unused: processes of 0.2.0 follow it. */
  lead_changes: {
    seq: Generated<number>
    lead_id: string
  }
  /** Unused: processes of 0.2.0 read it. */
  lead_news: {
    seq: Generated<number>
    /** JSON of `string[]`: references. */
    leads: string
  }
  lead_index: {
    lead_id: string
    received_at: number
    /** A status; `owed` stands for pending and leased, which time alone tells apart. */
    status: IndexedStatus
    area: Area
    /** The program's id; null where it cannot be read. */
    program: number | null
    /** Null once erased, as are the rest. */
    affiliate: string | null
    state: string | null
    /** 0 where the address was not found or not asked for. */
    verified: number | null
    attempts: number
    /** How the last attempt failed, in one word: the HTTP status, else the system's code, else our reason. Null after a delivery. */
    error: string | null
    /** Of `error_groups`; null where `error` is. */
    error_group: Generated<string | null>
    /** When that attempt began, in epoch milliseconds. */
    failed_at: Generated<number | null>
  }
  /** What the distributor said, of whomever it was said: see `error-groups.ts`. */
  error_groups: {
    /** The error, and a mark of the words. */
    id: string
    error: string
    /** Without personal data; empty where it said nothing. */
    words: string
  }
  /** A person's email, phone and last name, each as a keyed hash, and the lead's signals: see `lead-keys.ts`. */
  lead_keys: {
    key: string
    received_at: number
    lead_id: string
  }
  /** What an operator has searched for, as such hashes, for an hour. */
  lead_searches: {
    id: string
    operator_id: string
    /** JSON of `string[]`. */
    keys: string
    /** Epoch milliseconds. */
    created_at: number
  }
  /** How far a file is that is being written: for who waits for it, an hour at most. */
  export_progress: {
    id: string
    operator_id: string
    /** Epoch milliseconds. */
    began_at: number
    done: number
    state: 'running' | 'whole' | 'cut off'
  }
  saved_views: {
    id: string
    operator_id: string
    name: string
    /** As in the address. */
    query: string
    /** 1 where every operator sees it. */
    is_shared: number
    created_at: number
  }
}

export type IndexedStatus = 'owed' | 'duplicate' | 'quarantined' | Settlement
