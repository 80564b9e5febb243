import type { QueryResult } from 'kysely'
import type { LeaseClaim } from '#server/delivery/store/claim-deliveries.ts'
import type { AcceptedLead } from '#server/enquiries/accept-enquiry.ts'
import type { Acted, JobStep } from '#server/jobs/job-store.ts'
import type { EraseOrder } from '#server/leads/store/erasure/erase-old-leads.ts'

/** What a SQLite thread can be asked to do: one thing after the other, but for arrivals. */
export interface ThreadVerbs {
  open(): Promise<void>
  run(statement: Statement): Promise<QueryResult<unknown>>
  /** Does nothing where SQLite has rolled back by itself. */
  rollback(): Promise<void>
  /**
   * Stores them together with those of other calls, as soon as no transaction is open.
   * @param arrivals an array of `LeadArrival`, as JSON
   * @returns what came of each, in their order
   */
  storeArrivals(arrivals: string): Promise<readonly ArrivalReply[]>
  /** @returns `Claimed`, as JSON */
  claimDue(claim: LeaseClaim): Promise<string>
  /** @param attempts an array of `RecordedAttempt`, as JSON */
  recordAttempts(attempts: string): Promise<readonly boolean[]>
  eraseOldLeads(order: EraseOrder): Promise<number>
  writeJobStep(step: JobStep): Promise<Acted | undefined>
  /** Copies the log into the file and cuts it to nothing; waits for no other connection, and says whether it could. */
  truncateLog(): Promise<boolean>
  close(): Promise<void>
}

export type ArrivalReply = { readonly accepted: AcceptedLead } | { readonly fault: Fault }

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface ThreadCall {
  readonly id: number
  readonly verb: keyof ThreadVerbs
  readonly argument: unknown
}

export type ThreadReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly fault: Fault }

/** What a bounded reader answers. */
export type BoundedReply = { readonly rows: readonly unknown[] } | { readonly fault: Fault }

/** What a structured clone of an error would lose is what we decide by: SQLite's codes. */
interface Fault {
  readonly message: string
  readonly stack: string | undefined
  readonly codes: { readonly code?: unknown; readonly errcode?: unknown }
}

export function faultOfError(error: unknown): Fault {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined, codes: {} }
  const { message, stack } = error
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return { message, stack, codes: errcode === undefined ? {} : { code, errcode } }
}

export function errorOfFault({ message, stack, codes }: Fault): Error {
  const error = Object.assign(new Error(message), codes)
  if (stack !== undefined) error.stack = stack
  return error
}
