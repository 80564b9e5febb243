import { randomUUIDv7 } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type BulkAction, rightFor } from '#domain/job/bulk-action.ts'
import { type Job, standingOf } from '#domain/job/job.ts'
import { defaultRate } from '#domain/job/rate.ts'
import { reportInWords } from '#domain/job/report-in-words.ts'
import { isLeadId } from '#domain/lead/lead-id.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { SearchEndedError } from '../leads/list/browse-leads.ts'
import { ListBehindError, mostBehindMs } from '../leads/list/export-found-leads.ts'
import { meantBy } from '../leads/list/filter-in.ts'
import type { LeadCount, LeadFinder } from '../leads/list/lead-finder.ts'
import { type AuditAction, type AuditLog, audited } from '../operators/audit/audit.ts'
import { authorise, NotAllowedError } from '../operators/authorise.ts'
import type { Actor } from '../operators/operator.ts'
import type { JobStore } from './job-store.ts'

export interface JobOrder {
  readonly action: BulkAction
  /** As in the address of the leads, and right. */
  readonly query: string
  readonly searchId: string | undefined
}

export type PlanOutcome =
  | { readonly kind: 'planned'; readonly id: string }
  /** No lead is meant: there is nothing to plan. */
  | { readonly kind: 'empty' }

export type StartOutcome = 'started' | 'unknown' | 'empty' | 'not planned' | 'begun already'
export type ChangeOutcome = 'changed' | 'unknown' | 'as it was'

interface ManageJobsPorts {
  readonly jobs: JobStore
  readonly finder: Pick<LeadFinder, 'count' | 'behind' | 'searches'>
  readonly audit: AuditLog
  readonly clock: () => number
  /** Called when there is something to do for who works at jobs. */
  readonly onWork: () => void
}

/** Who has planned a few leads sees the whole plan at once. In milliseconds. */
const waitsForPlan = 700
const looksEvery = 30

/** Acts on all leads that a filter means: planned, started with a reason, paused and cancelled. */
export function makeManageJobs({ jobs, finder, audit, clock, onWork }: ManageJobsPorts) {
  const find = async (id: string) => (isLeadId(id) ? jobs.find(id) : undefined)

  async function keysOf(searchId: string | undefined, actor: Actor) {
    if (searchId === undefined) return undefined
    const keys =
      actor.kind === 'console' ? await finder.searches.find(searchId, actor.id, clock()) : undefined
    if (keys === undefined) throw new SearchEndedError()
    return keys
  }

  async function assertUpToDate(now: number): Promise<void> {
    const behind = await finder.behind()
    if (behind !== undefined && now - behind.since > mostBehindMs) throw new ListBehindError()
  }

  async function planned(id: string): Promise<void> {
    const until = performance.now() + waitsForPlan
    do {
      await setTimeout(looksEvery)
      if ((await jobs.find(id))?.phase !== 'planning') return
    } while (performance.now() < until)
  }

  /** Says of a job that something is done to it, does it, and says what came of it. */
  async function change(
    {
      actor,
      id,
      action,
    }: { readonly actor: Actor; readonly id: string; readonly action: AuditAction },
    run: (at: number) => Promise<boolean>,
  ): Promise<ChangeOutcome> {
    const at = clock()
    const isChanged = await audited(
      audit,
      { actor, at, action, subject: id },
      async () => ((await run(at)) ? ((await jobs.find(id)) ?? false) : false),
      (job) => (job ? standingInWords(job) : 'not done: it was so already, or has ended'),
    )
    return isChanged ? 'changed' : 'as it was'
  }

  return {
    list: (actor: Actor, query: Parameters<JobStore['list']>[0]): Promise<readonly Job[]> => {
      authorise(actor, 'see jobs', clock())
      return jobs.list(query)
    },
    find: (actor: Actor, id: string): Promise<Job | undefined> => {
      authorise(actor, 'see jobs', clock())
      return find(id)
    },
    members: async (actor: Actor, id: string, query: Parameters<JobStore['members']>[1]) => {
      authorise(actor, 'see jobs', clock())
      return jobs.members(id, query)
    },
    /** How many are meant, as far as a page says it. @throws SearchEndedError */
    count: async (
      actor: Actor,
      order: Pick<JobOrder, 'query' | 'searchId'>,
    ): Promise<LeadCount> => {
      const now = clock()
      authorise(actor, 'run jobs', now)
      const keys = await keysOf(order.searchId, actor)
      return finder.count({ filter: meantBy(order.query), keys, now })
    },
    /** Counts what it would do, in the background where that takes longer than a moment. @throws SearchEndedError, ListBehindError */
    plan: async (actor: Actor, { action, query, searchId }: JobOrder): Promise<PlanOutcome> => {
      const now = clock()
      mayPlan(actor, action, now)
      const keys = await keysOf(searchId, actor)
      await assertUpToDate(now)
      const filter = meantBy(query)
      const { leads, isAll } = await finder.count({ filter, keys, now })
      if (leads === 0 && isAll) return { kind: 'empty' }
      const id = randomUUIDv7()
      await audited(
        audit,
        { actor, at: now, action: 'planned a job', subject: id },
        () => jobs.add({ id, action, query, keys, by: actor, rate: defaultRate, at: now }),
        () => jobInWords({ action, query, isOfSearch: keys !== undefined }),
      )
      onWork()
      await planned(id)
      return { kind: 'planned', id }
    },
    /** Asks for passkey or password where the act does, before anything is typed. */
    beforeStarting: async (actor: Actor, id: string): Promise<Job | undefined> => {
      authorise(actor, 'run jobs', clock())
      const job = await find(id)
      if (job !== undefined) mayRun(actor, job.action, clock())
      return job
    },
    /** From now on it is about the leads that its filter means now. @throws ListBehindError */
    start: async (
      actor: Actor,
      id: string,
      { reason, rate }: { readonly reason: string; readonly rate: number },
    ): Promise<StartOutcome> => {
      const at = clock()
      authorise(actor, 'run jobs', at)
      const job = await find(id)
      if (job === undefined) return 'unknown'
      mayRun(actor, job.action, at)
      if (job.phase === 'planning') return 'not planned'
      if (job.phase !== 'planned') return 'begun already'
      if (job.plan.leads === 0) return 'empty'
      await assertUpToDate(at)
      const isStarted = await audited(
        audit,
        { actor, at, action: 'started a job', subject: id, reason },
        () => jobs.start(id, { by: actor, reason, rate, at }),
        (done) =>
          done ? `${jobInWords(job)}, ${rate} a second` : 'not done: it had begun already',
      )
      onWork()
      return isStarted ? 'started' : 'begun already'
    },
    pause: async (actor: Actor, id: string): Promise<ChangeOutcome> => {
      authorise(actor, 'run jobs', clock())
      if ((await find(id)) === undefined) return 'unknown'
      return change({ actor, id, action: 'paused a job' }, (at) => jobs.pause(id, at))
    },
    resume: async (actor: Actor, id: string): Promise<ChangeOutcome> => {
      authorise(actor, 'run jobs', clock())
      const job = await find(id)
      if (job === undefined) return 'unknown'
      mayRun(actor, job.action, clock())
      const outcome = await change({ actor, id, action: 'resumed a job' }, (at) =>
        jobs.resume(id, at),
      )
      onWork()
      return outcome
    },
    cancel: async (actor: Actor, id: string): Promise<ChangeOutcome> => {
      authorise(actor, 'run jobs', clock())
      if ((await find(id)) === undefined) return 'unknown'
      return change({ actor, id, action: 'cancelled a job' }, (at) => jobs.cancel(id, at))
    },
  }
}

export type ManageJobs = ReturnType<typeof makeManageJobs>

/** Nothing is done by it: who may do it is not asked for passkey or password yet. */
function mayPlan(actor: Actor, action: BulkAction, now: number): void {
  authorise(actor, 'run jobs', now)
  if (actor.kind === 'console' && !isAllowed(actor.role, rightFor[action])) {
    throw new NotAllowedError(rightFor[action])
  }
}

function mayRun(actor: Actor, action: BulkAction, now: number): void {
  authorise(actor, 'run jobs', now)
  authorise(actor, rightFor[action], now)
}

/** `retry of status=dead`, as it may stand in the audit: nobody is named. */
export const jobInWords = ({
  action,
  query,
  isOfSearch,
}: Pick<Job, 'action' | 'query' | 'isOfSearch'>): string =>
  [
    `${action} of ${query === '' ? 'every lead' : query}`,
    ...(isOfSearch ? ['of a person searched for'] : []),
  ].join(', ')

const standingInWords = (job: Job): string =>
  job.startedAt === null
    ? `${standingOf(job)}, before it was started`
    : `${standingOf(job)}: ${reportInWords(job.report)} of ${job.members.toLocaleString('en-US')}`
