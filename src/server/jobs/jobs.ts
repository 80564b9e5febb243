import { setTimeout } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import {
  type BulkAction,
  bulkActions,
  defaultLeadsPerSecond,
  maxUnfinishedJobs,
  permissionByAction,
  statusesByAction,
  toJobState,
} from '#domain/job/job.ts'
import { describeOutcomeCounts, type JobLeadOutcome } from '#domain/job/job-lead-outcome.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import { countMatchingLeads, findLeads } from '#server/leads/find-leads.ts'
import { maskFilterQuery, parseValidFilter } from '#server/leads/lead-filters.ts'
import { isOperatorStillAllowed } from '#server/operators/accounts.ts'
import { type AuditEntry, runAuditedTransaction, toActorColumns } from '#server/operators/audit.ts'
import { authorize, isAllowedFor, NotAllowedError } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { countRows } from '#server/platform/database/rows.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { makeIdAt } from '#server/platform/database/time-ordered-id.ts'
import {
  describeJobRequest,
  emptyJobPlan,
  noJobLease,
  parseJobPlan,
  parseJobReport,
} from './job-step.ts'

export interface JobRequest {
  readonly action: BulkAction
  /** The filter, as a query string of the console's page Leads. */
  readonly query: string
}

export interface JobStartRequest {
  readonly reason: string
  /** The most leads per second that the job acts on. */
  readonly rate: number
}

/** Thrown before an operator gets more unfinished jobs than {@link maxUnfinishedJobs}. Nothing was changed. */
export class TooManyJobsError extends Error {
  override readonly name = 'TooManyJobsError'
  override readonly message =
    `You have ${maxUnfinishedJobs} unfinished jobs, plans included. Nothing was planned or started. Wait until a job ends, or cancel a job that you no longer need.`
}

interface JobsDependencies {
  readonly clock: () => number
  /** Called when a job can continue. */
  readonly onWork: () => void
}

type Db = Kysely<StoreTables>

/** How long a request waits until its plan is ready, in milliseconds. A plan of few leads is ready by then. */
const planWaitMs = 700
const planPollMs = 30

/**
 * Makes the functions that plan and control jobs, for the console and the command line. A job acts on all leads that
 * match a filter: it stores their ids once, and checks each lead again before it acts. Pausing or cancelling a job
 * waits for the current step; afterwards the job does nothing more.
 */
export function makeJobs(
  { db, zone }: Pick<LeadDatabase, 'db' | 'zone'>,
  { clock, onWork }: JobsDependencies,
) {
  const find = (id: string): Promise<Job | undefined> =>
    isLeadId(id) ? findJob(db, id) : Promise.resolve(undefined)

  /**
   * Checks, in the transaction that changes a job, that the operator may run the job. If somebody disables or demotes
   * the operator at the same time, either this check fails or the runner pauses the job later.
   * @throws NotAllowedError, TooManyJobsError
   */
  const assertMayRun = async (
    tx: Transaction<StoreTables>,
    actor: Actor,
    job: Pick<Job, 'id' | 'action'>,
  ): Promise<void> => {
    const right = permissionByAction[job.action]
    if (actor.kind === 'console' && !(await isOperatorStillAllowed(tx, actor.id, right, true))) {
      throw new NotAllowedError(right)
    }
    const { operator_id = null, system_user = null } = toActorColumns(actor)
    const others = tx
      .selectFrom('jobs')
      .where('ended_at', 'is', null)
      .where('operator_id', 'is not distinct from', operator_id)
      .where('system_user', 'is not distinct from', system_user)
      .where('id', '!=', job.id)
    if ((await countRows(others)) >= maxUnfinishedJobs) throw new TooManyJobsError()
  }

  const insert = async (
    actor: Actor,
    request: JobRequest,
    start?: JobStartRequest,
  ): Promise<string> => {
    const at = clock()
    parseValidFilter(request.query, zone)
    const id = makeIdAt(at)
    const row = {
      id,
      action: request.action,
      query: request.query,
      is_of_search: 0,
      ...toActorColumns(actor),
      phase: start === undefined ? ('planning' as const) : ('gathering' as const),
      planned_at: at,
      plan: JSON.stringify(emptyJobPlan),
      rate: start?.rate ?? defaultLeadsPerSecond,
      ...(start === undefined ? {} : { reason: start.reason, started_at: at }),
    }
    const action: AuditEntry['action'] = start === undefined ? 'planned a job' : 'started a job'
    const described = { ...request, isOfSearch: false }
    await runAuditedTransaction(
      { db, clock },
      { actor, action, subject: id, reason: start?.reason },
      async (tx, _, keep) => {
        await assertMayRun(tx, actor, { id, action: request.action })
        await tx.insertInto('jobs').values(row).execute()
        await keep({ target: describeJobRequest(described) })
      },
      () => describeJobRequest(described, start?.rate),
    )
    onWork()
    return id
  }

  const change = async (
    actor: Actor,
    id: string,
    action: 'paused a job' | 'resumed a job' | 'cancelled a job',
    update: (tx: Db, at: number) => ReturnType<typeof updateJob>,
  ) => {
    authorize(actor, 'run jobs', clock())
    const job = await find(id)
    if (job === undefined) return 'unknown'
    const changed = await runAuditedTransaction(
      { db, clock },
      { actor, action, subject: id },
      async (tx, at, keep) => {
        if (action === 'resumed a job') await assertMayRun(tx, actor, job)
        await keep({ target: describeJobRequest(job) })
        return (await hasChangedRow(update(tx, at))) ? findJob(tx, id) : undefined
      },
      (changedJob) => changedJob && describeProgress(changedJob),
    )
    onWork()
    return changed === undefined ? 'unchanged' : 'changed'
  }

  /** Finds a job to start. An operator without the permission gets an error before typing a reason. */
  const findToStart = async (actor: Actor, id: string): Promise<Job | undefined> => {
    authorize(actor, 'run jobs', clock())
    const job = await find(id)
    if (job !== undefined) authorize(actor, permissionByAction[job.action], clock())
    return job
  }

  return {
    /**
     * Lists jobs, newest first. With `before`, lists only jobs that are older than the job with this id. Omits
     * planned jobs that nobody started before they expired or were cancelled.
     */
    list: async (
      actor: Actor,
      { before, take }: { readonly before?: string | undefined; readonly take: number },
    ): Promise<readonly Job[]> => {
      authorize(actor, 'see jobs', clock())
      const rows = await selectJobs(db)
        .where((eb) => eb.or([eb('ended_at', 'is', null), eb('started_at', 'is not', null)]))
        .$if(before !== undefined, (query) => query.where('jobs.id', '<', before ?? ''))
        .orderBy('jobs.id', 'desc')
        .limit(take)
        .execute()
      return rows.map((row) => maskForViewer(actor, toJob(row)))
    },
    find: async (actor: Actor, id: string): Promise<Job | undefined> => {
      authorize(actor, 'see jobs', clock())
      const job = await find(id)
      return job && maskForViewer(actor, job)
    },
    /** Lists the leads for which a job had the given outcome, in the job's order, after the position `after`. */
    members: async (
      actor: Actor,
      id: string,
      query: { readonly outcome: JobLeadOutcome; readonly after: number; readonly take: number },
    ) => {
      const isOfListed = query.outcome === 'asked not to be contacted'
      authorize(actor, isOfListed ? 'see do not contact' : 'see jobs', clock())
      return db
        .selectFrom('job_members')
        .select(['position', 'lead_id as leadId', 'detail'])
        .where('job_id', '=', id)
        .where('outcome', '=', query.outcome)
        .where('position', '>', query.after)
        .orderBy('position')
        .limit(query.take)
        .execute()
    },
    /**
     * Counts the leads that match a filter, finds when the oldest of them was received, and lists the actions that can
     * change one of them.
     */
    offer: async (actor: Actor, query: string) => {
      const now = clock()
      authorize(actor, 'run jobs', now)
      const criteria = { filter: parseValidFilter(query, zone), keys: undefined, now }
      const [oldest] = (await findLeads(db, { ...criteria, towards: 'newer', take: 1 })).leads
      const actions: BulkAction[] = []
      for (const action of bulkActions) {
        const status = statusesByAction[action].filter(
          (one) => criteria.filter.status.length === 0 || criteria.filter.status.includes(one),
        )
        const filter = action === 'erase' ? criteria.filter : { ...criteria.filter, status }
        if (status.length === 0 || !isAllowedFor(actor, permissionByAction[action])) continue
        const { count, isAll } = await countMatchingLeads(db, { ...criteria, filter })
        if (count > 0 || !isAll) actions.push(action)
      }
      return {
        actions,
        leads: await countMatchingLeads(db, criteria),
        oldestAt: oldest?.receivedAt,
        now,
      }
    },
    /**
     * Plans a job: stores the ids of its leads and counts what the action would do. Planning requires no step-up
     * authentication.
     * @returns the job's id
     * @throws TooManyJobsError
     */
    plan: async (actor: Actor, request: JobRequest): Promise<string> => {
      authorize(actor, 'run jobs', clock())
      const right = permissionByAction[request.action]
      if (!isAllowedFor(actor, right)) throw new NotAllowedError(right)
      const id = await insert(actor, request)
      const until = performance.now() + planWaitMs
      do {
        await setTimeout(planPollMs)
      } while ((await find(id))?.phase === 'planning' && performance.now() < until)
      return id
    },
    /** Starts a job without a plan: the job stores the ids of its leads and then acts. @returns the job's id */
    run: async (actor: Actor, request: JobRequest, start: JobStartRequest): Promise<string> => {
      authorize(actor, 'run jobs', clock())
      authorize(actor, permissionByAction[request.action], clock())
      return insert(actor, request, start)
    },
    findToStart,
    start: async (actor: Actor, id: string, { reason, rate }: JobStartRequest) => {
      const job = await findToStart(actor, id)
      if (job === undefined) return 'unknown'
      if (job.phase === 'planning') return 'not planned'
      if (job.phase !== 'planned') return 'begun already'
      if (job.members === 0) return 'empty'
      const isStarted = await runAuditedTransaction(
        { db, clock },
        { actor, action: 'started a job', subject: id, reason },
        async (tx, at, keep) => {
          await assertMayRun(tx, actor, job)
          await keep({ target: describeJobRequest(job) })
          return hasChangedRow(
            updateJob(tx, id)
              .set({
                ...toActorColumns(actor),
                phase: 'running',
                reason,
                rate,
                started_at: at,
                reached_at: null,
                reached_id: null,
                ...noJobLease,
              })
              .where('phase', '=', 'planned'),
          )
        },
        (done) => (done ? describeJobRequest(job, rate) : undefined),
      )
      onWork()
      return isStarted ? 'started' : 'begun already'
    },
    pause: (actor: Actor, id: string) =>
      change(actor, id, 'paused a job', (tx, at) =>
        updateJob(tx, id)
          .set({ paused_at: at, ...noJobLease })
          .where('phase', 'in', ['gathering', 'running'])
          .where('paused_at', 'is', null),
      ),
    /** Resumes a job. From now on, the job acts with the permissions of the resuming operator. */
    resume: async (actor: Actor, id: string) => {
      await findToStart(actor, id)
      return change(actor, id, 'resumed a job', (tx) =>
        updateJob(tx, id)
          .set({ ...toActorColumns(actor), paused_at: null })
          .where('ended_at', 'is', null)
          .where('paused_at', 'is not', null),
      )
    },
    cancel: (actor: Actor, id: string) =>
      change(actor, id, 'cancelled a job', (tx, at) =>
        updateJob(tx, id).set(makeCancelledColumns(at)).where('ended_at', 'is', null),
      ),
  }
}

export type Jobs = ReturnType<typeof makeJobs>

export const makeCancelledColumns = (at: number) =>
  ({ phase: 'ended', cancelled_at: at, ended_at: at, search_keys: null, ...noJobLease }) as const

const updateJob = (db: Db, id: string) => db.updateTable('jobs').where('id', '=', id)

const hasChangedRow = async (query: ReturnType<typeof updateJob>): Promise<boolean> =>
  (await query.executeTakeFirst()).numUpdatedRows > 0n

/** Omits jobs with an action of a later version, which may run on the same database during an upgrade. */
const selectJobs = (db: Kysely<StoreTables>) =>
  db
    .selectFrom('jobs')
    .leftJoin('operators', 'operators.id', 'jobs.operator_id')
    .where('action', 'in', bulkActions)
    .select(['jobs.id', 'action', 'query', 'phase', 'plan', 'reason', 'rate', 'members', 'done'])
    .select(['report', 'is_of_search', 'system_user', 'operators.email'])
    .select(['planned_at as plannedAt', 'started_at as startedAt', 'paused_at as pausedAt'])
    .select(['cancelled_at as cancelledAt', 'ended_at as endedAt'])
    .select('members_removed_at as membersRemovedAt')

type SelectedJob = Awaited<ReturnType<ReturnType<typeof selectJobs>['executeTakeFirstOrThrow']>>

/**
 * A job runs one action on all leads that match a filter, at most `rate` leads per second. It has listed `members` leads
 * and acted on `done`. Times are epoch milliseconds.
 */
export type Job = ReturnType<typeof toJob>

const toJob = ({ is_of_search, system_user, email, ...row }: SelectedJob) => ({
  ...row,
  /** True if an operator found the leads by a search. The store does not keep the searched text. */
  isOfSearch: is_of_search === 1,
  /** The operator who started the job or, before the start, planned it: an email address or a system user's name. */
  who: email ?? system_user ?? '',
  plan: parseJobPlan(row.plan),
  report: parseJobReport(row.report),
})

export const findJob = async (db: Db, id: string): Promise<Job | undefined> => {
  const row = await selectJobs(db).where('jobs.id', '=', id).executeTakeFirst()
  return row && toJob(row)
}

/** Hides operator and reason, and masks personal data in the filter, if the viewer may not see the audit log. */
const maskForViewer = (actor: Actor, job: Job): Job =>
  isAllowedFor(actor, 'see the audit log')
    ? job
    : { ...job, who: '', reason: null, query: maskFilterQuery(job.query) }

const describeProgress = (job: Job): string =>
  job.startedAt === null
    ? `${toJobState(job)}, before it was started`
    : `${toJobState(job)}: ${describeOutcomeCounts(job.report)} of ${job.members.toLocaleString('en-US')}`
