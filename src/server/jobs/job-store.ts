import type { BulkAction } from '#domain/job/bulk-action.ts'
import type { OutcomeCounts } from '#domain/job/counts.ts'
import type { Job, JobPlan } from '#domain/job/job.ts'
import type { MemberOutcome } from '#domain/job/member-outcome.ts'
import type { LeadPlace } from '#server/leads/list/lead-finder.ts'
import type { Actor } from '#server/operators/operator.ts'

// Times are epoch milliseconds.

export interface NewJob {
  readonly id: string
  readonly action: BulkAction
  /** As in the address of the leads. */
  readonly query: string
  /** Of a person who was searched for. */
  readonly keys: readonly string[] | undefined
  readonly by: Actor
  readonly rate: number
  readonly at: number
}

export interface JobMember {
  readonly position: number
  readonly leadId: string
  /** Null until it was its turn. */
  readonly outcome: MemberOutcome | null
  /** The lead that counts in its place; of a failure the code. */
  readonly detail: string | null
}

/** What a job did to one lead. */
export interface JobAct {
  readonly jobId: string
  readonly at: number
  readonly who: string
  readonly action: BulkAction
  readonly reason: string | null
  readonly outcome: MemberOutcome
}

export interface MembersQuery {
  readonly outcome: MemberOutcome
  /** Beyond this position. */
  readonly after: number
  readonly take: number
}

/** What operators do with jobs. */
/** Of one operator, that nobody has started: the oldest goes where there are more. */
export const mostPlans = 20

export interface JobStore {
  add(job: NewJob): Promise<void>
  find(id: string): Promise<Job | undefined>
  /** The newest first, those before this id. */
  list(query: {
    readonly before?: string | undefined
    readonly take: number
  }): Promise<readonly Job[]>
  /**
   * False where its plan is not complete, or it has begun.
   * @throws NotAllowedError where the operator may not do it any more, as of the transaction that starts it
   */
  start(
    id: string,
    order: {
      readonly by: Actor
      readonly reason: string
      readonly rate: number
      readonly at: number
    },
  ): Promise<boolean>
  /** False where it does not run. Nothing is done any more once it has resolved. */
  pause(id: string, at: number): Promise<boolean>
  /**
   * From now on the job is theirs. False where it is not paused.
   * @throws NotAllowedError as `start` does
   */
  resume(id: string, by: Actor): Promise<boolean>
  /** False where it has ended. Nothing is done any more once it has resolved. */
  cancel(id: string, at: number): Promise<boolean>
  /** The newest first; none of jobs whose leads are not known any more. */
  actsOn(leadId: string, take: number): Promise<readonly JobAct[]>
  members(id: string, query: MembersQuery): Promise<readonly JobMember[]>
}

/** A job that a process works at, until the lease's end. */
export interface HeldJob extends Pick<Job, 'id' | 'action' | 'query' | 'phase' | 'rate'> {
  /** Of a person who was searched for. */
  readonly keys: readonly string[] | undefined
  readonly plan: JobPlan
  /** Only leads received before it are meant. */
  readonly until: number
  /** How far the walk through the leads has come. */
  readonly reached: LeadPlace | undefined
  readonly members: number
  readonly done: number
}

export interface JobLease {
  readonly lease: string
  readonly now: number
  readonly leaseUntil: number
}

/** A step of a held job. */
interface Step extends JobLease {
  readonly jobId: string
}

export interface PlanStep extends Step {
  /** As it is with this step. */
  readonly plan: JobPlan
  /** Undefined where all leads are counted: then it is planned. */
  readonly reached: LeadPlace | undefined
}

export interface GatherStep extends Step {
  readonly leadIds: readonly string[]
  /** Undefined where all are gathered: then it runs. */
  readonly reached: LeadPlace | undefined
}

export interface ActStep extends Step {
  readonly take: number
  /** Set where the one next failed again and again, with why: nothing is done to it. */
  readonly failure?: string
}

/** Either, told apart. */
export type JobStep =
  | ({ readonly kind: 'gather' } & GatherStep)
  | ({ readonly kind: 'act' } & ActStep)

export interface Acted {
  /** As it stands now. */
  readonly done: number
  readonly members: number
  readonly report: OutcomeCounts
}

/** What processes do to jobs: each step is one transaction, and done by who holds the lease or not at all. */
export interface JobWork {
  /** One that nobody works at, the oldest first, but for those that are held already. */
  claim(lease: JobLease, held: readonly string[]): Promise<HeldJob | undefined>
  giveBack(lease: string): Promise<void>
  /** What would come of leads, as they stand now. */
  foresee(
    action: BulkAction,
    leadIds: readonly string[],
    now: number,
  ): Promise<Pick<JobPlan, 'byStatus' | 'byOutcome'>>
  /** False where it is held no longer: it was cancelled, paused, or another process has it. */
  writePlan(step: PlanStep): Promise<boolean>
  gather(step: GatherStep): Promise<boolean>
  /** Acts on the next ones, and writes down what came of each, both or neither. Undefined where it is held no longer. */
  act(step: ActStep): Promise<Acted | undefined>
  /** Ends it, and says so in the audit; nothing where it is held no longer. */
  end(step: Omit<Step, 'leaseUntil'>): Promise<void>
  /** Removes from the files what erasures have left there. */
  wipe(): Promise<unknown>
  /** Removes some of what is kept no longer. @returns how many rows it were */
  tidy(before: { readonly endedBefore: number; readonly plannedBefore: number }): Promise<number>
}
