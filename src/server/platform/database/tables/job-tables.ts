import type { Generated } from 'kysely'
import type { BulkAction } from '#domain/job/bulk-action.ts'
import type { JobPhase } from '#domain/job/job.ts'
import type { MemberOutcome } from '#domain/job/member-outcome.ts'

/** Acts on many leads. Times are epoch milliseconds. */
export interface JobTables {
  jobs: {
    id: string
    action: BulkAction
    /** As in the address of the leads. */
    query: string
    /** 1 where it is about a person who was searched for. */
    is_of_search: number
    /** Their keyed hashes: JSON of `string[]`; null once it has ended. */
    search_keys: string | null
    /** Who started it; before, who planned it. */
    operator_id: string | null
    system_user: string | null
    network: string | null
    phase: JobPhase
    planned_at: number
    /** JSON of `StoredPlan`. */
    plan: string
    reason: Generated<string | null>
    /** Leads a second. */
    rate: number
    started_at: Generated<number | null>
    /** How far the walk through the leads has come that is at hand. */
    reached_at: Generated<number | null>
    reached_id: Generated<string | null>
    members: Generated<number>
    /** Those up to this position. */
    done: Generated<number>
    /** JSON of `OutcomeCounts`. */
    report: Generated<string>
    running_since: Generated<number | null>
    running_from: Generated<number>
    paused_at: Generated<number | null>
    cancelled_at: Generated<number | null>
    ended_at: Generated<number | null>
    members_removed_at: Generated<number | null>
    /** Of the process that works at it. */
    lease: Generated<string | null>
    leased_until: Generated<number | null>
  }
  job_members: {
    job_id: string
    /** From 1 on, the oldest lead first. */
    position: number
    lead_id: string
    /** Null until it was its turn. */
    outcome: Generated<MemberOutcome | null>
    /** The lead that counts in its place; of a failure the code. */
    detail: Generated<string | null>
    /** When it was its turn. */
    at: Generated<number | null>
  }
}
