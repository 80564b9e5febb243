import { randomUUIDv7 } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type BulkAction, jobLeadsRetentionMs, planRetentionMs } from '#domain/job/job.ts'
import { leadStatuses } from '#domain/lead/lead-status.ts'
import { makeDoNotContactActions } from '#server/delivery/manage-do-not-contact.ts'
import { findListedAt } from '#server/leads/do-not-contact.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'
import { disableAccount, insertAccount, setAccountRole } from '#server/operators/accounts.ts'
import { NotAllowedError } from '#server/operators/authorize.ts'
import { type Actor, type ConsoleActor, toConsoleActor } from '#server/operators/operator.ts'
import { ConnectionLostError } from '#server/platform/faults/database-errors.ts'
import type { Store } from '#server/store/open-store.ts'
import { until } from '#tests/patience/until.ts'
import { releaseLead, settleLead } from '#tests/store/act-on-leads.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { cleanUpJobs, JobRunner } from './job-runner.ts'
import { actOnJobLeads, type JobActionStep } from './job-step.ts'
import { findJob, makeJobs, TooManyJobsError } from './jobs.ts'

const now = exampleTime + 60 * 60 * 1000
const actor: Actor = { kind: 'command line', user: 'ada' }
const reason = 'the distributor is back'

describe.each(storePlaces)('a job on $name', ({ name, makePlace }) => {
  const place = useKeptStores(makePlace)
  let runners: JobRunner[] = []
  const failures: unknown[] = []
  // The runners must stop before the stores are closed.
  afterEach(async () => {
    await Promise.all(runners.map((runner) => runner.stop()))
    runners = []
    expect(failures).toEqual([])
  })

  /** Opens a store with a lead of each status, and a job runner for it. */
  async function openStore(clock = () => now) {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    const jobs = manager(store, clock)
    return { store, ids, jobs, run: () => startRunner(store, clock) }
  }

  const wakeAll = () => {
    for (const runner of runners) runner.wake()
  }
  const manager = (store: Store, clock = () => now) =>
    makeJobs(store.database, {
      clock,
      onWork: wakeAll,
    })

  const due = vi.fn()

  function startRunner(store: Store, clock = () => now, database = store.database) {
    const runner = new JobRunner(database, {
      clock,
      log: pino({ enabled: false }),
      failureLog: {
        failed: (error) => failures.push(error),
        succeeded: () => undefined,
      },
      onDue: due,
    })
    runner.start()
    runners.push(runner)
    return runner
  }

  async function planned(jobs: ReturnType<typeof manager>, action: BulkAction, query = '') {
    const id = await jobs.plan(actor, { action, query })
    // On a busy machine, planning may take longer than `plan` waits.
    if (runners.length > 0) {
      await until(async () => (await jobs.find(actor, id))?.phase !== 'planning')
    }
    return id
  }

  const acts = () =>
    askStore(
      place.settings(),
      `select action, reason, outcome from audit left join audit_outcomes on audit_id = audit.id order by audit.id`,
    )

  const jobOf = async (store: Store, id: string) => {
    const job = await findJob(store.database.db, id)
    if (job === undefined) throw new Error('no such job')
    return job
  }

  const untilIn = (store: Store, id: string, phase: string) =>
    until(async () => (await jobOf(store, id)).phase === phase)

  /** SQL that makes the database reject changes to one lead. */
  const refusing = (id: string) =>
    name === 'SQLite'
      ? `create trigger refusing before update on leads when new.id = '${id}'
         begin select raise(abort, 'no'); end`
      : `create function refuse() returns trigger language plpgsql as
         $$begin raise exception 'no' using errcode = '22000'; end$$;
         create trigger refusing before update on leads for each row when (new.id = '${id}')
         execute function refuse()`
  const dropRefusal = name === 'SQLite' ? 'drop trigger refusing' : 'drop function refuse cascade'

  async function runWhole(action: BulkAction) {
    const { store, ids, jobs, run } = await openStore()
    run()
    const id = await planned(jobs, action)
    const { plan } = await jobOf(store, id)
    expect(await jobs.start(actor, id, { reason, rate: 1000 })).toBe('started')
    await untilIn(store, id, 'ended')
    return { store, ids, plan, job: await jobOf(store, id) }
  }

  test('retries the leads that its plan counted', async () => {
    const { store, ids, plan, job } = await runWhole('retry')
    const counts = { due: 5, delivered: 1, duplicate: 1, quarantined: 1, erased: 1 }
    expect(plan).toMatchObject({ leads: 9, byOutcome: counts })
    expect(job).toMatchObject({ report: counts, done: 9, members: 9, reason, who: 'ada' })
    const [dead] = await store.leadReader.read([ids.dead], now)
    expect(dead?.status).toBe('pending')
    const retried = await manager(store).members(actor, job.id, {
      outcome: 'due',
      after: 0,
      take: 10,
    })
    expect(retried.map(({ leadId }) => leadId)).toEqual([
      ids.pending,
      ids.leased,
      ids.rejected,
      ids.dead,
      ids['do-not-contact'],
    ])
    const [duplicate] = await manager(store).members(actor, job.id, {
      outcome: 'duplicate',
      after: 0,
      take: 9,
    })
    expect(duplicate).toMatchObject({ leadId: ids.duplicate, detail: ids.delivered })
  })

  test('skips leads that an operator has settled since the plan', async () => {
    const { store, ids, jobs, run } = await openStore()
    await settleLead(store, ids.rejected, 'rejected', now - 1)
    run()
    const id = await planned(jobs, 'retry', 'status=dead&status=rejected&status=pending')
    await settleLead(store, ids.dead, 'rejected', now)
    await settleLead(store, ids.pending, 'delivered', now)
    await jobs.start(actor, id, { reason, rate: 1000 })
    await untilIn(store, id, 'ended')
    const { plan, report } = await jobOf(store, id)
    expect(plan.byOutcome).toEqual({ due: 4 })
    expect(report).toEqual({ due: 2, 'settled since': 1, delivered: 1 })
    const [dead] = await store.leadReader.read([ids.dead], now)
    expect(dead?.status).toBe('rejected')
  })

  test('with an action or filter of a later version is left to that version', async () => {
    const { store, jobs, run } = await openStore()
    const id = await planned(jobs, 'retry', 'status=dead')
    await runInStore(place.settings(), `update jobs set action = 'unheard-of' where id = '${id}'`)
    run()
    const other = await planned(jobs, 'retry', 'status=dead')
    await untilIn(store, other, 'planned')
    expect((await jobs.list(actor, { take: 9 })).map((job) => job.id)).toEqual([other])
    const query = 'status=dead&unheard-of=x'
    await expect(jobs.plan(actor, { action: 'retry', query })).rejects.toThrow(InvalidFilterError)
  })

  test('releases quarantined leads', async () => {
    const { plan, job } = await runWhole('release')
    const counts = { due: 1, 'not quarantined': 7, erased: 1 }
    expect(plan.byOutcome).toEqual(counts)
    expect(job.report).toEqual(counts)
  })

  test('releases no lead of a person who asked not to be contacted, though an operator can', async () => {
    const { store, ids, jobs, run } = await openStore()
    run()
    const list = makeDoNotContactActions({
      ...{ ...store.database, ...store.operators, audit: store.audit },
      clock: () => now - 1,
    })
    await list.stop(actor, [
      { email: 'Quarantined@example.com' },
      { email: 'delivered@example.com' },
    ])
    const counts = { 'asked not to be contacted': 1, 'not quarantined': 7, erased: 1 }
    const id = await planned(jobs, 'release')
    expect((await jobOf(store, id)).plan.byOutcome).toEqual(counts)
    await jobs.start(actor, id, { reason, rate: 1000 })
    await untilIn(store, id, 'ended')
    expect((await jobOf(store, id)).report).toEqual(counts)
    const statusOf = async () => (await store.leadReader.find(ids.quarantined, now))?.status
    expect(await statusOf()).toBe('quarantined')
    const despite = await findListedAt(store.database.db, ids.quarantined)
    await releaseLead(store, ids.quarantined, now, { despite })
    expect(await statusOf()).toBe('pending')
    const claimed = await store.queue.claimDue({ now, leaseUntil: now + 1, limit: 9 })
    expect(claimed.map(({ lead }) => lead.id)).toContain(ids.quarantined)
  })

  test('a plan to retry says which leads are not sent because of the list', async () => {
    const { store, ids, jobs, run } = await openStore()
    run()
    const list = makeDoNotContactActions({
      ...{ ...store.database, ...store.operators, audit: store.audit, clock: () => now - 1 },
    })
    await list.import(actor, 'dead@example.com')
    const query = 'status=dead&status=rejected'
    const id = await jobs.plan(actor, { action: 'retry', query })
    await untilIn(store, id, 'planned')
    const counts = { due: 1, 'asked not to be contacted': 1 }
    expect((await jobOf(store, id)).plan.byOutcome).toEqual(counts)
    expect((await store.leadReader.find(ids.dead, now))?.status).toBe('dead')
  })

  test('erases leads, and counts those that the distributor has', async () => {
    const { store, ids, plan, job } = await runWhole('erase')
    const counts = { 'erased now': 7, 'erased after delivery': 1, erased: 1 }
    expect(plan.byOutcome).toEqual(counts)
    expect(job.report).toEqual(counts)
    const leads = await store.leadReader.page({ now, take: 20 })
    expect(leads.map(({ status }) => status)).toEqual(Array(9).fill('erased'))
    expect(leads.map(({ lead }) => lead.id)).toContain(ids.delivered)
  })

  test('counts in its plan the leads that a newer enquiry has replaced', async () => {
    const { store, ids, jobs, run } = await openStore()
    await store.intake.accept(
      exampleArrival({ email: 'dead@example.com', receivedAt: exampleTime }),
    )
    run()
    const id = await planned(jobs, 'retry', 'status=dead')
    expect((await jobOf(store, id)).plan.byOutcome).toEqual({ overtaken: 1 })
    await jobs.start(actor, id, { reason, rate: 1000 })
    await untilIn(store, id, 'ended')
    expect((await jobOf(store, id)).report).toEqual({ overtaken: 1 })
    const [member] = await manager(store).members(actor, id, {
      outcome: 'overtaken',
      after: 0,
      take: 9,
    })
    expect(member?.leadId).toBe(ids.dead)
  })

  test('acts only on leads that were stored before its plan', async () => {
    const { store, jobs, run } = await openStore()
    run()
    const id = await planned(jobs, 'retry', 'status=pending')
    await store.intake.accept(exampleArrival({ phone: '9415550111', receivedAt: now - 1 }))
    await jobs.start(actor, id, { reason, rate: 1000 })
    await untilIn(store, id, 'ended')
    expect(await jobOf(store, id)).toMatchObject({ members: 2, report: { due: 2 } })
  })

  test('is planned and started in one step, evaluates its filter once and makes deliveries due at once', async () => {
    const { store, jobs } = await openStore()
    // In this test, only the runner's search for leads uses this connection.
    const find = vi.spyOn(store.database.consoleDb, 'getExecutor')
    due.mockClear()
    startRunner(store)
    const order = { action: 'retry', query: 'status=dead&status=rejected' } as const
    const id = await jobs.run(actor, order, { reason, rate: 1000 })
    await untilIn(store, id, 'ended')
    expect(await jobOf(store, id)).toMatchObject({ members: 2, report: { due: 2 }, reason })
    expect(find).toHaveBeenCalledTimes(1)
    expect(due).toHaveBeenCalled()
    expect(await acts()).toEqual([
      {
        action: 'started a job',
        reason,
        outcome: 'retry of status=dead&status=rejected, 1000 a second',
      },
      { action: 'ended a job', reason: null, outcome: '2 done' },
    ])
  })

  test('in planning under release 0.2.0 is planned again from the start', async () => {
    const { store, jobs, run } = await openStore()
    const plan = { leads: 5, byOutcome: {} }
    const planning = jobs.plan(actor, { action: 'retry', query: '' })
    await until(async () => (await jobs.list(actor, { take: 1 })).length === 1)
    await runInStore(
      place.settings(),
      `update jobs set plan = '${JSON.stringify(plan)}', reached_at = ${now}, reached_id = 'z'`,
    )
    run()
    const id = await planning
    await untilIn(store, id, 'planned')
    expect(await jobOf(store, id)).toMatchObject({ members: 9, plan: { leads: 9 } })
  })

  test('continues in another process after the first one ends, and does nothing twice', async () => {
    let at = now
    const { store, jobs, run } = await openStore(() => at)
    const { database } = store
    const steps: JobActionStep[] = []
    // Simulates a process that is killed during its second step of two leads: the step never returns.
    const killed = startRunner(store, () => at, {
      ...database,
      run: async (work, argument) => {
        if (work.name !== actOnJobLeads.name) return database.run(work, argument)
        const count = steps.push(argument as JobActionStep)
        return count > 1 ? new Promise(() => undefined) : database.run(work, argument)
      },
    })
    runners = runners.filter((runner) => runner !== killed)
    const id = await jobs.run(actor, { action: 'retry', query: '' }, { reason, rate: 4 })
    await until(() => steps.length > 1)
    expect(await jobOf(store, id)).toMatchObject({ done: 2, members: 9 })
    run()
    const other = await planned(jobs, 'retry')
    expect((await jobOf(store, other)).phase).toBe('planned')
    expect((await jobOf(store, id)).done).toBe(2)

    at += 15_000
    await untilIn(store, id, 'ended')
    const late = steps.at(-1)
    expect(late && (await database.run(actOnJobLeads, late))).toBeUndefined()
    const { report, done } = await jobOf(store, id)
    expect(done).toBe(9)
    expect(Object.values(report).reduce((sum, count) => sum + count, 0)).toBe(9)
    expect((await acts()).filter(({ action }) => action !== 'planned a job')).toEqual([
      { action: 'started a job', reason, outcome: 'retry of every lead, 4 a second' },
      { action: 'ended a job', reason: null, outcome: '5 done, 4 skipped' },
    ])
  })

  test('a stopped process gives its jobs back at once', async () => {
    const { store, jobs, run } = await openStore()
    const runner = run()
    const id = await jobs.run(actor, { action: 'retry', query: '' }, { reason, rate: 1 })
    await until(async () => (await jobOf(store, id)).done > 0)
    await runner.stop()
    const [row] = await askStore(place.settings(), `select lease, leased_until from jobs`)
    expect(row).toEqual({ lease: null, leased_until: null })
  })

  test('a stopped process also gives back a job whose step has just failed', async () => {
    const { store, jobs } = await openStore()
    const { promise: isStopped, resolve } = Promise.withResolvers<void>()
    const runner = startRunner(store, () => now, {
      ...store.database,
      run: () => {
        resolve(runner.stop())
        return Promise.reject(new ConnectionLostError('no answer'))
      },
    })
    await jobs.run(actor, { action: 'retry', query: '' }, { reason, rate: 1 })
    await isStopped
    expect(failures).toHaveLength(1)
    failures.length = 0
    const [row] = await askStore(place.settings(), `select lease, leased_until from jobs`)
    expect(row).toEqual({ lease: null, leased_until: null })
  })

  test('keeps to its rate without bursts', async () => {
    const { store, jobs } = await openStore()
    const taken: number[] = []
    startRunner(store, () => now, {
      ...store.database,
      run: (work, argument) => {
        if (work.name === actOnJobLeads.name) taken.push((argument as JobActionStep).take)
        return store.database.run(work, argument)
      },
    })
    const begunAt = performance.now()
    const id = await jobs.run(actor, { action: 'retry', query: '' }, { reason, rate: 8 })
    await untilIn(store, id, 'ended')
    expect(Math.max(...taken)).toBe(4)
    expect(performance.now() - begunAt).toBeGreaterThan(900)
  })

  test('a full disk skips no lead: the step is tried again until it succeeds', async () => {
    const { store, jobs } = await openStore()
    let isFull = true
    startRunner(store, () => now, {
      ...store.database,
      run: (work, argument) =>
        isFull && work.name === actOnJobLeads.name
          ? Promise.reject(Object.assign(new Error('full'), { errcode: 13 }))
          : store.database.run(work, argument),
    })
    const id = await jobs.run(actor, { action: 'retry', query: '' }, { reason, rate: 1000 })
    await until(() => failures.length > 0)
    isFull = false
    await untilIn(store, id, 'ended')
    expect((await jobOf(store, id)).report).toMatchObject({ due: 5 })
    failures.length = 0
  })

  test('lists each lead once, even if the answer to a step is lost', async () => {
    const { store, jobs } = await openStore()
    const more = Array.from({ length: 40 }, () => exampleArrival())
    await Promise.all(more.map((arrival) => store.intake.accept(arrival)))
    startRunner(store, () => now, {
      ...store.database,
      run: async (work, argument) => {
        const result = await store.database.run(work, argument)
        if (failures.length === 0) throw new ConnectionLostError('no answer')
        return result
      },
    })
    const id = await planned(jobs, 'retry')
    expect((await jobOf(store, id)).plan.leads).toBe(leadStatuses.length + more.length)
    expect(failures).toHaveLength(1)
    failures.length = 0
  })

  test('stops when paused or cancelled, and resumes where it was', async () => {
    const { store, jobs, run } = await openStore()
    run()
    const id = await planned(jobs, 'retry')
    // At one lead per second, the test has time to pause the job.
    await jobs.start(actor, id, { reason, rate: 1 })
    await until(async () => (await jobOf(store, id)).done > 0)
    expect(await jobs.pause(actor, id)).toBe('changed')
    const { done } = await jobOf(store, id)
    expect(done).toBeLessThan(8)
    expect(await jobs.pause(actor, id)).toBe('unchanged')
    expect(await jobs.resume(actor, id)).toBe('changed')
    await until(async () => (await jobOf(store, id)).done > done)
    expect(await jobs.cancel(actor, id)).toBe('changed')
    const cancelled = await jobOf(store, id)
    expect(cancelled).toMatchObject({ phase: 'ended', cancelledAt: now })
    expect(await jobs.cancel(actor, id)).toBe('unchanged')
    const [row] = await askStore(
      place.settings(),
      `select count(*) as n from job_members where outcome is not null`,
    )
    expect(row?.n).toBe(cancelled.done)
  })

  /** Adds an admin to the store. */
  async function adminOf(store: Store): Promise<ConsoleActor> {
    const id = randomUUIDv7()
    const email = `${id}@example.com`
    const admin = { id, email, role: 'admin', createdAt: now, disabledAt: null } as const
    await insertAccount(store.database.db, admin)
    return toConsoleActor(admin, '', now)
  }

  test('is refused if its operator has 20 unfinished jobs, even if they plan many at once', async () => {
    const { store, jobs } = await openStore()
    const [ada, bea] = [await adminOf(store), await adminOf(store)]
    const plan = (by: Actor) => jobs.plan(by, { action: 'release', query: '' })
    const tried = await Promise.allSettled(Array.from({ length: 23 }, () => plan(ada)))
    const refusals = tried.filter((one) => one.status === 'rejected')
    expect(refusals.map(({ reason: error }) => error.name)).toEqual(
      Array(3).fill('TooManyJobsError'),
    )
    expect(await acts()).toHaveLength(20)
    await expect(plan(ada)).rejects.toThrow('cancel a job that you no longer need')

    const others = await jobs.run(bea, { action: 'retry', query: '' }, { reason, rate: 1 })
    await jobs.pause(bea, others)
    await expect(jobs.resume(ada, others)).rejects.toThrow(TooManyJobsError)
    expect((await jobOf(store, others)).pausedAt).toBe(now)
    await plan(actor)

    const [first] = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    await jobs.cancel(ada, first ?? '')
    expect(await jobs.resume(ada, others)).toBe('changed')
    await expect(plan(ada)).rejects.toThrow(TooManyJobsError)
  })

  test('is offered only with the actions that can change one of its leads', async () => {
    const { store, ids, jobs } = await openStore()
    const offered = async (query: string, by: Actor = actor) =>
      (await jobs.offer(by, query)).actions.join()
    expect(await offered('')).toBe('retry,release,erase')
    expect(await offered('status=rejected')).toBe('retry,erase')
    expect(await offered('status=dead&status=quarantined')).toBe('retry,release,erase')
    expect(await offered('status=quarantined')).toBe('release,erase')
    expect(await offered('status=delivered&status=duplicate')).toBe('erase')
    expect(await offered('error=cap'), 'an error that only rejected leads have').toBe('retry,erase')
    expect(await offered('signal=too-fast'), 'a signal of quarantined leads').toBe('release,erase')
    expect(await offered('state=AK')).toBe('')
    await releaseLead(store, ids.quarantined, now)
    expect(await offered('status=quarantined')).toBe('')
    const operator = { ...(await adminOf(store)), role: 'operator' } as const
    expect(await offered('status=delivered', operator)).toBe('')
  })

  test('skips a lead whose action fails, and no other lead', async () => {
    const { store, ids, jobs, run } = await openStore()
    await runInStore(place.settings(), refusing(ids.rejected))
    onTestFinished(() => runInStore(place.settings(), dropRefusal))
    run()
    const id = await planned(jobs, 'erase')
    await jobs.start(actor, id, { reason, rate: 1000 })
    await untilIn(store, id, 'ended')
    const { report, plan } = await jobOf(store, id)
    expect(plan.byOutcome).toEqual(report)
    expect(report).toEqual({ failed: 1, 'erased now': 6, 'erased after delivery': 1, erased: 1 })
    const [failed] = await manager(store).members(actor, id, {
      outcome: 'failed',
      after: 0,
      take: 9,
    })
    const code = name === 'SQLite' ? 'SQLITE_CONSTRAINT' : '22000'
    expect(failed).toMatchObject({ leadId: ids.rejected, detail: code })
  })

  test('keeps its report permanently, and its list of leads for thirty days', async () => {
    let at = now
    const { store, jobs, run } = await openStore(() => at)
    const first = run()
    const id = await planned(jobs, 'retry')
    await jobs.start(actor, id, { reason, rate: 1000 })
    await untilIn(store, id, 'ended')
    await first.stop()
    const left = async () => (await askStore(place.settings(), `select * from job_members`)).length
    expect(await left()).toBe(9)
    at += jobLeadsRetentionMs + 1
    while (await cleanUpJobs(store.database.db, at));
    expect(await left()).toBe(0)
    expect((await jobOf(store, id)).report).toMatchObject({ due: 5 })
  })

  test('its plan changes nothing', async () => {
    const { store, jobs, run } = await openStore()
    const all = async () =>
      Promise.all(
        ['leads', 'deliveries', 'attempts', 'consents', 'enquirers'].map((table) =>
          askStore(place.settings(), `select * from ${table} order by 1`),
        ),
      )
    const before = await all()
    run()
    for (const action of ['retry', 'release', 'erase'] as const) {
      await untilIn(store, await planned(jobs, action), 'planned')
    }
    expect(await all()).toEqual(before)
  })

  test('a plan that nobody starts within a week ends, leaves the list and loses its leads', async () => {
    let at = now
    const { store, jobs, run } = await openStore(() => at)
    const first = run()
    const id = await planned(jobs, 'retry', 'status=dead')
    await untilIn(store, id, 'planned')
    await first.stop()
    expect(await jobs.list(actor, { take: 9 })).toHaveLength(1)
    at += planRetentionMs + 1
    while (await cleanUpJobs(store.database.db, at));
    expect((await jobOf(store, id)).membersRemovedAt).toBe(at)
    expect(await askStore(place.settings(), `select * from job_members`)).toEqual([])
    expect(await jobs.list(actor, { take: 9 })).toEqual([])
  })

  test('does nothing for an operator who is disabled or demoted while it is started or resumed', async () => {
    const { store, jobs, run } = await openStore()
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

  test('pauses at the next step after its operator has lost the permission', async () => {
    const { store, jobs, run } = await openStore()
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

  test('is not started without leads, or twice', async () => {
    const { jobs, store, run } = await openStore()
    run()
    const nobody = { action: 'retry', query: 'state=AK' } as const
    const empty = await jobs.plan(actor, nobody)
    expect(await jobOf(store, empty)).toMatchObject({ phase: 'planned', members: 0 })
    expect(await jobs.start(actor, empty, { reason, rate: 1 })).toBe('empty')
    const id = await planned(jobs, 'retry', 'status=dead')
    expect(await jobs.start(actor, id, { reason, rate: 1 })).toBe('started')
    expect(await jobs.start(actor, id, { reason, rate: 1 })).toBe('begun already')
    expect(await jobs.start(actor, 'no such', { reason, rate: 1 })).toBe('unknown')
    await untilIn(store, id, 'ended')
  })
})
