import { expect, type TestContext, test } from 'vitest'
import type { Job } from '#server/jobs/jobs.ts'
import { makeJobs } from '#server/jobs/jobs.ts'
import type { Actor } from '#server/operators/operator.ts'
import { openStore, type StoreSettings } from '#server/store/open-store.ts'
import { patience } from '#tests/patience/patience.ts'
import { until } from '#tests/patience/until.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { accountFor, drained } from './account.ts'
import { startDistributor } from './distributor.ts'
import { times } from './extent.ts'
import { figure } from './figure.ts'
import { shortLeases } from './product-env.ts'
import { setUps as everySetUp, startSetUp } from './set-ups.ts'
import { startVisitors } from './visitors.ts'

const dead = times({ modest: 200, full: 100_000 })
/**
 * Leads a second: slow enough that the job still runs when the test reaches it, even if the machine stalls for some
 * seconds.
 */
const rates = [times({ modest: 20, full: 1000 }), times({ modest: 30, full: 1000 })] as const
/** The number of leads that are done when the test reaches the job. */
const met = times({ modest: 1, full: dead / 4 })

/** A single worker, which runs the job and is the process to kill. */
const setUps = everySetUp.map((setUp) => ({ ...setUp, roles: [...new Set(setUp.roles)] }))

const ada: Actor = { kind: 'command line', user: 'ada' }
const filledAtOnce = 500

/** Stores dead leads, and indexes them all. */
async function fill(settings: StoreSettings): Promise<void> {
  const store = await openStore(settings)
  await store.migrate()
  for (let begin = 0; begin < dead; begin += filledAtOnce) {
    const count = Math.min(filledAtOnce, dead - begin)
    const arrivals = Array.from({ length: count }, (_, index) =>
      exampleArrival({ receivedAt: Date.now() - dead - 60_000 + begin + index }),
    )
    await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
  }
  await runInStore(
    settings,
    `update deliveries set settled_as = 'dead', settled_at = next_at, attempts = 9;
     delete from enquirers`,
  )
  await store.close()
}

/** An operator's actions on jobs, while other processes work on the jobs. */
async function openJobs(settings: StoreSettings, { onTestFinished }: TestContext) {
  const store = await openStore(settings)
  onTestFinished(() => store.close())
  const jobs = makeJobs(store.database, {
    clock: Date.now,
    onWork: () => undefined,
  })
  const untilJob = (id: string, isSo: (job: Job) => boolean) =>
    until(
      async () => {
        const job = await jobs.find(ada, id)
        return job !== undefined && isSo(job) ? job : undefined
      },
      { timeout: 10 * patience },
    )
  return {
    until: untilJob,
    cancel: (id: string) => jobs.cancel(ada, id),
    find: (id: string) => untilJob(id, () => true),
    /** Plans and starts a job, and resolves with its plan. */
    start: async (rate = 1000) => {
      const id = await jobs.plan(ada, { action: 'retry', query: 'status=dead' })
      const planned = await untilJob(id, ({ phase }) => phase === 'planned')
      expect(await jobs.start(ada, id, { reason: 'it is back', rate })).toBe('started')
      return planned
    },
  }
}

const isMet = ({ done, phase }: Job): boolean => phase === 'running' && done >= met

test.concurrent.for(setUps)(
  'a job on all dead leads survives a cancel, a kill and a resume while leads arrive: $name',
  async (setUp, context) => {
    const distributor = await startDistributor()
    context.onTestFinished(distributor.stop)
    const filled = async () => {
      const place = await setUp.makePlace()
      await fill(place.settings)
      return place
    }
    const { settings, processes, site } = await startSetUp(
      { ...setUp, makePlace: filled },
      distributor,
      context,
      shortLeases,
    )
    const visitors = startVisitors({ atOnce: 2, rest: 250, site })
    const jobs = await openJobs(settings, context)
    const count = async (what: string) => Number((await askStore(settings, what))[0]?.n)

    const first = await jobs.start(rates[0])
    expect(first.plan).toMatchObject({
      leads: dead,
      byOutcome: { due: dead },
    })
    await jobs.until(first.id, isMet)
    expect(await jobs.cancel(first.id)).toBe('changed')
    const cancelled = await jobs.find(first.id)
    expect(cancelled.done).toBeLessThan(dead)
    expect(cancelled.report).toEqual({ due: cancelled.done })

    const second = await jobs.start(rates[1])
    expect(second.plan.leads).toBe(dead - cancelled.done)
    // Jobs run one step at a time, so the cancelled job's last step ended before this job was planned.
    const retried = `select count(*) as n from job_members where outcome = 'due'`
    expect(await count(`${retried} and job_id = '${first.id}'`)).toBe(cancelled.done)
    await jobs.until(second.id, isMet)
    const workers = processes.filter((_, index) => setUp.roles[index] !== 'web')
    await Promise.all(workers.map(({ end }) => end('SIGKILL')))
    const killed = await jobs.find(second.id)
    expect(killed.phase).toBe('running')
    await Promise.all(workers.map(({ start }) => start()))
    const ended = await jobs.until(second.id, ({ phase }) => phase === 'ended')

    expect(ended.report).toEqual({ due: dead - cancelled.done })
    expect(await count(retried)).toBe(dead)
    expect(
      await count(`select count(distinct lead_id) as n from job_members where outcome = 'due'`),
    ).toBe(dead)
    await visitors.leave()
    await drained(settings, 1_800_000)
    const account = await accountFor(visitors, distributor, settings)
    expect(await count(`select count(*) as n from deliveries where settled_as = 'delivered'`)).toBe(
      dead + account.acknowledged,
    )
    const acts = await askStore(
      settings,
      `select action, outcome from audit left join audit_outcomes on audit_id = audit.id order by audit.id`,
    )
    expect(acts.map(({ action }) => action)).toEqual(
      ['planned', 'started', 'cancelled', 'planned', 'started', 'ended'].map(
        (did) => `${did} a job`,
      ),
    )
    expect(acts.at(-1)?.outcome).toBe(`${ended.done.toLocaleString('en-US')} done`)
    figure(`A job on all dead leads, ${setUp.name}`, {
      dead,
      doneWhenCancelled: cancelled.done,
      doneWhenKilled: killed.done,
      doneInAll: cancelled.done + ended.done,
      secondsOfTheSecond: Math.round(((ended.endedAt ?? 0) - (ended.startedAt ?? 0)) / 1000),
      ...account,
    })
  },
)
