import { addCounts } from '#domain/job/counts.ts'
import { meantBy } from '#server/leads/list/filter-in.ts'
import type { LeadFinder, LeadSearch } from '#server/leads/list/lead-finder.ts'
import type { HeldJob, JobLease, JobWork } from './job-store.ts'

export interface StepPorts {
  readonly work: JobWork
  readonly finder: Pick<LeadFinder, 'find'>
}

/** What became of a step. */
export interface Stepped {
  /** The job as it is now; undefined where this process has no more to do with it. */
  readonly job: HeldJob | undefined
  /** How many leads it was about. */
  readonly leads: number
}

/** Counts what would come of the next so many leads: it reads, and writes one row. */
export async function planStep(
  { work, finder }: StepPorts,
  job: HeldJob,
  lease: JobLease,
  take: number,
): Promise<Stepped> {
  const found = await finder.find(searchOf(job, lease, take))
  const ids = found.leads.map(({ id }) => id)
  const foreseen = await work.foresee(job.action, ids, lease.now)
  const plan = {
    leads: job.plan.leads + ids.length,
    byStatus: addCounts(job.plan.byStatus, foreseen.byStatus),
    byOutcome: addCounts(job.plan.byOutcome, foreseen.byOutcome),
    countedUntil: found.next?.receivedAt,
  }
  const isHeld = await work.writePlan({ ...lease, jobId: job.id, plan, reached: found.next })
  const goesOn = isHeld && found.next !== undefined
  return { job: goesOn ? { ...job, plan, reached: found.next } : undefined, leads: ids.length }
}

/** Writes down which the next so many leads are. */
export async function gatherStep(
  { work, finder }: StepPorts,
  job: HeldJob,
  lease: JobLease,
  take: number,
): Promise<Stepped> {
  const found = await finder.find(searchOf(job, lease, take))
  const leadIds = found.leads.map(({ id }) => id)
  const isHeld = await work.gather({ ...lease, jobId: job.id, leadIds, reached: found.next })
  if (!isHeld) return { job: undefined, leads: leadIds.length }
  const gathered = { ...job, members: job.members + leadIds.length, reached: found.next }
  return {
    job: found.next === undefined ? { ...gathered, phase: 'running' } : gathered,
    leads: leadIds.length,
  }
}

/** Acts on the next so many; after the last one it ends the job. */
export async function actStep(
  { work }: Pick<StepPorts, 'work'>,
  job: HeldJob,
  lease: JobLease,
  { take, failure }: { readonly take: number; readonly failure?: string | undefined },
): Promise<Stepped> {
  if (job.done >= job.members) {
    // Before its end, so that a crash does not leave it out: to wipe again does no harm.
    if (job.action === 'erase') await work.wipe()
    await work.end({ jobId: job.id, ...lease })
    return { job: undefined, leads: 0 }
  }
  const acted = await work.act({
    ...lease,
    jobId: job.id,
    take,
    ...(failure === undefined ? {} : { failure }),
  })
  if (acted === undefined) return { job: undefined, leads: 0 }
  const { done, members } = acted
  return { job: { ...job, done, members }, leads: done - job.done }
}

/** The oldest first: of a person's several the first counts. Whoever comes later is not meant. */
function searchOf(job: HeldJob, { now }: JobLease, take: number): LeadSearch {
  const filter = meantBy(job.query)
  const until = Math.min(filter.until ?? job.until, job.until)
  return {
    filter: { ...filter, until },
    keys: job.keys,
    after: job.reached,
    towards: 'newer',
    take,
    now,
  }
}
