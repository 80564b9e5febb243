import { randomUUIDv7 } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import type { BulkAction } from '#domain/job/bulk-action.ts'
import { membersKeptFor } from '#domain/job/job.ts'
import { everyLead } from '#domain/lead/lead-filter.ts'
import { FilterNotMeantError } from '#server/leads/list/filter-in.ts'
import { disableAccount, insertAccount, setAccountRole } from '#server/operators/accounts.ts'
import { NotAllowedError } from '#server/operators/authorise.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { Store } from '#server/start/open-store.ts'
import { until } from '#tests/patience/until.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeManageJobs } from '../manage-jobs.ts'
import { JobRunner } from './job-runner.ts'

const now = exampleTime + 60 * 60 * 1000
const actor: Actor = { kind: 'command line', user: 'ada' }
const reason = 'the distributor is back'

describe.each(storePlaces)('a job on $name', ({ name, makePlace }) => {
  const place = useKeptStores(makePlace)
  let runners: JobRunner[] = []
  const troubles: unknown[] = []
  // Before the place closes its stores.
  afterEach(async () => {
    await Promise.all(runners.map((runner) => runner.stop()))
    runners = []
    expect(troubles).toEqual([])
  })

  /** A store with a lead of each status, whose lists know of all; and who works at its jobs. */
  async function set(clock = () => now) {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    const follow = async () => {}
    await follow()
    const jobs = manager(store, clock)
    return { store, ids, follow, jobs, run: () => startRunner(store, clock) }
  }

  const wakeAll = () => {
    for (const runner of runners) runner.wake()
  }
  const manager = (store: Store, clock = () => now) =>
    makeManageJobs({ ...store, finder: store.index, clock, onWork: wakeAll })

  function startRunner(store: Store, clock = () => now) {
    const runner = new JobRunner({
      work: store.jobWork,
      finder: store.index,
      clock,
      log: pino({ enabled: false }),
      failureLog: {
        failed: (error) => troubles.push(error),
        succeeded: () => undefined,
      },
    })
    runner.start()
    runners.push(runner)
    return runner
  }

  async function planned(jobs: ReturnType<typeof manager>, action: BulkAction, query = '') {
    const outcome = await jobs.plan(actor, { action, query, searchId: undefined })
    if (outcome.kind !== 'planned') throw new Error(outcome.kind)
    return outcome.id
  }

  const jobOf = async (store: Store, id: string) => {
    const job = await store.jobs.find(id)
    if (job === undefined) throw new Error('no such job')
    return job
  }

  const untilIn = (store: Store, id: string, phase: string) =>
    until(async () => (await jobOf(store, id)).phase === phase)

  /** A database that will not have this lead changed. */
  const refusing = (id: string) =>
    name === 'SQLite'
      ? `create trigger refusing before update on leads when new.id = '${id}'
         begin select raise(abort, 'no'); end`
      : `create function refuse() returns trigger language plpgsql as
         $$begin raise exception 'no' using errcode = '22000'; end$$;
         create trigger refusing before update on leads for each row when (new.id = '${id}')
         execute function refuse()`
  const refusingNoMore =
    name === 'SQLite' ? 'drop trigger refusing' : 'drop function refuse cascade'

  async function runWhole(action: BulkAction) {
    const { store, ids, jobs, run } = await set()
    run()
    const id = await planned(jobs, action)
    const { plan } = await jobOf(store, id)
    expect(await jobs.start(actor, id, { reason, rate: 1000 })).toBe('started')
    await untilIn(store, id, 'ended')
    return { store, ids, plan, job: await jobOf(store, id) }
  }

  test('retries what can be, and comes to what its plan has said', async () => {
    const { store, ids, plan, job } = await runWhole('retry')
    expect(plan.byStatus).toEqual({
      pending: 2,
      delivered: 1,
      rejected: 1,
      dead: 1,
      duplicate: 1,
      quarantined: 1,
      erased: 1,
    })
    const counts = { due: 4, delivered: 1, duplicate: 1, quarantined: 1, erased: 1 }
    expect(plan).toMatchObject({ leads: 8, byOutcome: counts, countedUntil: undefined })
    expect(job).toMatchObject({ report: counts, done: 8, members: 8, reason, who: 'ada' })
    const [dead] = await store.archive.list({ ids: [ids.dead], now, take: 1 })
    expect(dead?.status).toBe('pending')
    const due = await store.jobs.members(job.id, { outcome: 'due', after: 0, take: 10 })
    expect(due.map(({ leadId }) => leadId)).toEqual([
      ids.pending,
      ids.leased,
      ids.rejected,
      ids.dead,
    ])
    const [duplicate] = await store.jobs.members(job.id, {
      outcome: 'duplicate',
      after: 0,
      take: 9,
    })
    expect(duplicate).toMatchObject({ leadId: ids.duplicate, detail: ids.delivered })
  })

  test('of a kind or by a filter that only a later version knows is left to it', async () => {
    const { store, jobs, run } = await set()
    const id = await planned(jobs, 'retry', 'status=dead')
    await runInStore(place.settings(), `update jobs set action = 'unheard-of' where id = '${id}'`)
    run()
    const other = await planned(jobs, 'retry', 'status=dead')
    await untilIn(store, other, 'planned')
    expect((await jobs.list(actor, { take: 9 })).map((job) => job.id)).toEqual([other])
    const query = 'status=dead&unheard-of=x'
    await expect(jobs.plan(actor, { action: 'retry', query, searchId: undefined })).rejects.toThrow(
      FilterNotMeantError,
    )
  })

  test('releases what is in quarantine', async () => {
    const { plan, job } = await runWhole('release')
    const counts = { due: 1, 'not quarantined': 6, erased: 1 }
    expect(plan.byOutcome).toEqual(counts)
    expect(job.report).toEqual(counts)
  })

  test('erases, and says of which the distributor has a copy', async () => {
    const { store, ids, plan, job } = await runWhole('erase')
    const counts = { 'erased now': 6, 'erased after delivery': 1, erased: 1 }
    expect(plan.byOutcome).toEqual(counts)
    expect(job.report).toEqual(counts)
    const leads = await store.archive.list({ now, take: 20 })
    expect(leads.map(({ status }) => status)).toEqual(Array(8).fill('erased'))
    expect(leads.map(({ id }) => id)).toContain(ids.delivered)
  })

  test('says before what another enquiry of the person has overtaken', async () => {
    const { store, ids, follow, jobs, run } = await set()
    await store.intake.accept(
      exampleArrival({ email: 'dead@example.com', receivedAt: exampleTime }),
    )
    await follow()
    run()
    const id = await planned(jobs, 'retry', 'status=dead')
    expect((await jobOf(store, id)).plan.byOutcome).toEqual({ overtaken: 1 })
    await jobs.start(actor, id, { reason, rate: 1000 })
    await untilIn(store, id, 'ended')
    expect((await jobOf(store, id)).report).toEqual({ overtaken: 1 })
    const [member] = await store.jobs.members(id, { outcome: 'overtaken', after: 0, take: 9 })
    expect(member?.leadId).toBe(ids.dead)
  })

  test('is about the leads that there were when it was started', async () => {
    let at = now
    const { store, follow, jobs, run } = await set(() => at)
    run()
    const id = await planned(jobs, 'retry', 'status=pending')
    await store.intake.accept(exampleArrival({ phone: '9415550111', receivedAt: at - 1 }))
    await follow()
    await jobs.start(actor, id, { reason, rate: 1000 })
    await store.intake.accept(exampleArrival({ phone: '9415550112', receivedAt: at }))
    at += 1
    await untilIn(store, id, 'ended')
    expect(await jobOf(store, id)).toMatchObject({ members: 3, report: { due: 3 } })
  })

  test('goes on in another process where the first one ended, and does nothing twice', async () => {
    let at = now
    const { store, jobs, run } = await set(() => at)
    const first = run()
    const id = await planned(jobs, 'retry')
    await first.stop()
    await jobs.start(actor, id, { reason, rate: 1000 })
    const lease = { lease: 'of who is killed', now: at, leaseUntil: at + 15_000 }
    const step = { ...lease, jobId: id }
    await store.jobWork.claim(lease, [])
    const found = await store.index.find({
      filter: everyLead,
      keys: undefined,
      towards: 'newer',
      take: 8,
      now: at,
    })
    const leadIds = found.leads.map((lead) => lead.id)
    await store.jobWork.gather({ ...step, leadIds, reached: undefined })
    expect(await store.jobWork.act({ ...step, take: 3 })).toMatchObject({ done: 3, members: 8 })
    expect(await store.jobWork.claim({ ...lease, lease: 'too early' }, [])).toBeUndefined()

    at += 15_000
    run()
    await untilIn(store, id, 'ended')
    expect(await store.jobWork.act({ ...step, take: 3 })).toBeUndefined()
    const { report, done } = await jobOf(store, id)
    expect(done).toBe(8)
    expect(Object.values(report).reduce((sum, count) => sum + count, 0)).toBe(8)
    const acts = await askStore(
      place.settings(),
      `select action, reason, outcome from audit left join audit_outcomes on audit_id = audit.id order by audit.id`,
    )
    expect(acts).toEqual([
      { action: 'planned a job', reason: null, outcome: 'retry of every lead' },
      { action: 'started a job', reason, outcome: 'retry of every lead, 1000 a second' },
      { action: 'ended a job', reason: null, outcome: '4 done, 4 skipped' },
    ])
  })

  test('does nothing more once it is paused or cancelled, and goes on where it was', async () => {
    const { store, jobs, run } = await set()
    run()
    const id = await planned(jobs, 'retry')
    // One a second: there is time to press a button.
    await jobs.start(actor, id, { reason, rate: 1 })
    await until(async () => (await jobOf(store, id)).done > 0)
    expect(await jobs.pause(actor, id)).toBe('changed')
    const { done } = await jobOf(store, id)
    expect(done).toBeLessThan(8)
    expect(await jobs.pause(actor, id)).toBe('as it was')
    expect(await jobs.resume(actor, id)).toBe('changed')
    await until(async () => (await jobOf(store, id)).done > done)
    expect(await jobs.cancel(actor, id)).toBe('changed')
    const cancelled = await jobOf(store, id)
    expect(cancelled).toMatchObject({ phase: 'ended', cancelledAt: now })
    expect(await jobs.cancel(actor, id)).toBe('as it was')
    const [row] = await askStore(
      place.settings(),
      `select count(*) as n from job_members where outcome is not null`,
    )
    expect(row?.n).toBe(cancelled.done)
  })

  test('passes over a lead whose act fails, and no other', async () => {
    const { store, ids, jobs, run } = await set()
    await runInStore(place.settings(), refusing(ids.rejected))
    onTestFinished(() => runInStore(place.settings(), refusingNoMore))
    run()
    const id = await planned(jobs, 'erase')
    await jobs.start(actor, id, { reason, rate: 1000 })
    await untilIn(store, id, 'ended')
    const { report } = await jobOf(store, id)
    expect(report).toEqual({ failed: 1, 'erased now': 5, 'erased after delivery': 1, erased: 1 })
    const [failed] = await store.jobs.members(id, { outcome: 'failed', after: 0, take: 9 })
    const code = name === 'SQLite' ? 'SQLITE_CONSTRAINT' : '22000'
    expect(failed).toMatchObject({ leadId: ids.rejected, detail: code })
  })

  test('keeps its report for good, and which leads they were for thirty days', async () => {
    let at = now
    const { store, jobs, run } = await set(() => at)
    const first = run()
    const id = await planned(jobs, 'retry')
    await jobs.start(actor, id, { reason, rate: 1000 })
    await untilIn(store, id, 'ended')
    await first.stop()
    const left = async () => (await askStore(place.settings(), `select * from job_members`)).length
    expect(await left()).toBe(8)
    at += membersKeptFor + 1
    run()
    await until(async () => (await left()) === 0)
    expect((await jobOf(store, id)).report).toMatchObject({ due: 4 })
  })

  test('does nothing for an operator who is disabled or demoted while it is started or resumed', async () => {
    const { store, jobs, run } = await set()
    const { db } = store.operators
    const begun: string[] = []
    for (let round = 0; round < 10; round++) {
      const ada = {
        id: randomUUIDv7(),
        email: `${round}@example.com`,
        role: 'admin',
        createdAt: now,
        disabledAt: null,
      } as const
      await insertAccount(db, ada)
      const by = { ...ada, kind: 'console', lastAuthenticatedAt: now, network: '' } as const
      const planner = run()
      const id = await planned(jobs, 'erase', 'status=dead')
      await planner.stop()
      if (round % 2 === 1) {
        expect(await jobs.start(actor, id, { reason, rate: 1 })).toBe('started')
        expect(await jobs.pause(actor, id)).toBe('changed')
      }
      const startOrResume = () =>
        round % 2 === 0 ? jobs.start(by, id, { reason, rate: 1 }) : jobs.resume(by, id)
      const end = () =>
        round % 4 < 2
          ? disableAccount(db, ada.id, now)
          : setAccountRole(db, ada.id, 'operator', now)
      await Promise.allSettled([startOrResume(), end()])
      const { phase } = await jobOf(store, id)
      const again =
        phase === 'planned' ? jobs.start(by, id, { reason, rate: 1 }) : jobs.resume(by, id)
      await expect(again, 'afterwards').rejects.toThrow(NotAllowedError)
      begun.push(id)
    }
    for (const id of begun) {
      const { phase, pausedAt } = await jobOf(store, id)
      expect(phase === 'planned' || pausedAt !== null, `${phase}, ${pausedAt}`).toBe(true)
    }
  })

  test('stops at the next step where its operator may not do it any more, whatever ended that', async () => {
    const { store, jobs, run } = await set()
    const ada = {
      id: randomUUIDv7(),
      email: 'ada@example.com',
      role: 'operator',
      createdAt: now,
      disabledAt: null,
    } as const
    await insertAccount(store.operators.db, ada)
    const runner = run()
    const id = await planned(jobs, 'retry')
    const by = { ...ada, kind: 'console', lastAuthenticatedAt: now, network: '' } as const
    await jobs.start(by, id, { reason, rate: 1 })
    await until(async () => (await jobOf(store, id)).done > 0)
    await runInStore(
      place.settings(),
      `update operators set role = 'viewer' where id = '${ada.id}'`,
    )
    await until(async () => (await jobOf(store, id)).pausedAt !== null)
    expect((await jobOf(store, id)).done).toBeLessThan(8)
    await runner.stop()
  })

  test('is not made of no lead, nor started twice', async () => {
    const { jobs, store, run } = await set()
    run()
    const nobody = { action: 'retry', query: 'state=AK', searchId: undefined } as const
    expect(await jobs.plan(actor, nobody)).toEqual({ kind: 'empty' })
    const id = await planned(jobs, 'retry', 'status=dead')
    expect(await jobs.start(actor, id, { reason, rate: 1 })).toBe('started')
    expect(await jobs.start(actor, id, { reason, rate: 1 })).toBe('begun already')
    expect(await jobs.start(actor, 'no such', { reason, rate: 1 })).toBe('unknown')
    await untilIn(store, id, 'ended')
  })
})
