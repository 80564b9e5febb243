import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '#server/store/open-store.ts'
import { type SignedIn, signedIn, signIn, visitor } from '#tests/console/console-visitor.ts'
import { until } from '#tests/patience/until.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { type StorePlace, sqlitePlace } from '#tests/store/store-places.ts'

const reason = 'the distributor is back'
const minute = 60_000
const day = 24 * 60 * minute

/** Returns the text of a page without markup. */
const textOf = async (reply: Response) =>
  (await reply.text()).replace(/<style>.*?<\/style>/s, '').replaceAll(/<[^>]*>/g, ' ')

// Other tests cover the jobs on both databases; these tests cover the console's pages about them.
describe('jobs on the console', () => {
  let place: StorePlace
  let product: InProcessProduct
  let admin: SignedIn
  let now = exampleTime + 5 * 1000

  beforeAll(async () => {
    place = await sqlitePlace()
    const store = await openStore(place.settings)
    await store.migrate()
    await storeLeadOfEachStatus(store)
    await store.close()
    const env = { ROLE: 'console', DATA_DIR: place.settings.dataDir }
    product = await startInProcess(env, undefined, () => now)
    admin = await signIn(product.consoleLink)
  })
  afterAll(async () => {
    await product.stop()
    await place.remove()
  })

  async function operatorOf(role: string): Promise<SignedIn> {
    const email = `${role}${Math.random()}@example.com`
    const invited = await (await admin.post('/operators', { email, role })).text()
    const code = /invitation\?code=([\w-]+)/.exec(invited)?.[1] ?? ''
    const guest = await visitor(admin.origin)
    const password = 'four words nobody says'
    return signedIn(admin.origin, await guest.post('/sign-in/invitation', { code, password }))
  }

  /** Plans a job and resolves with its address. The redirect does not wait for a slow count. */
  async function plan(fields: Record<string, string>): Promise<string> {
    const reply = await admin.post('/jobs', { query: '', ...fields })
    expect(reply.status).toBe(303)
    const job = reply.headers.get('location') ?? ''
    await until(async () => !(await textOf(await admin.get(job))).includes('Planning:'))
    return job
  }

  const acts = () =>
    askStore(
      place.settings,
      `select action, subject, reason from audit where action like '% a job'`,
    )

  test('a job is planned and started with a reason, and its page reports the end', async () => {
    const page = await (await admin.get('/leads?status=dead&status=rejected')).text()
    expect(page).toMatch(
      /<form[^>]*action="\/jobs\/new".*name="status" value="dead".*Act on [^<]*…/s,
    )
    const asked = await textOf(await admin.get('/jobs/new?status=dead&status=rejected'))
    expect(asked).toContain('Status: failed or rejected')
    expect(asked).toContain('2 leads')

    const job = await plan({ query: 'status=dead&status=rejected', action: 'retry' })
    const planned = await textOf(await admin.get(job))
    expect(planned).toContain('Planned for 2 leads: nothing has changed yet')
    expect(planned).toMatch(/will be processed\s*2\s*will be due at once/)

    const replyWithoutReason = await admin.post(`${job}/start`, { reason: ' ', rate: 'many' })
    expect(replyWithoutReason.status).toBe(422)
    const pageText = await replyWithoutReason.text()
    expect(pageText).toContain('Enter a reason.')
    expect(pageText).toContain('The job was not started')
    expect(pageText).toContain('value="many"')

    const started = await admin.post(`${job}/start`, { reason, rate: '1000' })
    expect(started.headers.get('location')).toBe(job)
    await expect
      .poll(async () => textOf(await admin.get(job)))
      .toMatch(/Done: 2 done.*2 leads in all\..*due at once/s)
    const shown = await textOf(await admin.get(`${job}/leads?outcome=due`))
    expect(shown.match(/waiting/g)).toHaveLength(2)
    const lead = /href="(\/leads\/[\w-]{36})"/.exec(
      await (await admin.get(`${job}/leads?outcome=due`)).text(),
    )?.[1]
    expect(await textOf(await admin.get(lead ?? ''))).toMatch(
      /demo@example.com.*due at once.*\(the distributor is back\)/s,
    )
    const id = job.replace('/jobs/', '')
    expect(await acts()).toEqual([
      { action: 'planned a job', subject: id, reason: null },
      { action: 'started a job', subject: id, reason },
      { action: 'ended a job', subject: id, reason: null },
    ])
    expect(await textOf(await admin.get('/jobs'))).toMatch(/Retry.*failed or rejected.*2 done/s)

    // The viewer must not see who started a job and why, because that is part of the audit log.
    const [viewer, operator] = [await operatorOf('viewer'), await operatorOf('operator')]
    for (const path of ['/jobs', job, `${job}/leads?outcome=due`, lead ?? '']) {
      const seen = await (await viewer.get(path)).text()
      expect(seen, path).toContain('<h1')
      expect(seen, path).not.toContain('demo@example.com')
      expect(seen, path).not.toContain(reason)
    }
    for (const path of ['/jobs', job, lead ?? '']) {
      const seen = await (await operator.get(path)).text()
      expect(seen, path).toContain('demo@example.com')
      expect(seen, path).toContain(reason)
    }
    expect((await viewer.get('/api/changes')).status).toBe(200)
  })

  test('a search starts no job, because without it the filter would match other leads', async () => {
    const found = await admin.post('/leads/search', { search: 'dead@example.com', query: '' })
    const address = found.headers.get('location') ?? ''
    expect(await (await admin.get(address)).text()).not.toContain('Act on')
    const query = new URL(address, admin.origin).search
    const before = await acts()
    for (const reply of [
      await admin.get(`/jobs/new${query}`),
      await admin.post('/jobs', { query, action: 'retry' }),
    ]) {
      expect(reply.status).toBe(422)
    }
    expect(await acts()).toEqual(before)
  })

  test('an operator with 20 unfinished jobs reads what to do', async () => {
    const operator = await operatorOf('operator')
    const order = { query: 'status=quarantined', action: 'release' }
    await Promise.all(Array.from({ length: 20 }, () => operator.post('/jobs', order)))
    const refused = await operator.post('/jobs', order)
    expect(refused.status).toBe(429)
    expect(await textOf(refused)).toMatch(/20 unfinished jobs.*cancel a job/s)
  })

  test.each([
    ['a wrong filter', { query: 'status=lost', action: 'retry' }, 'That filter isn’t valid'],
    ['an unknown action', { query: '', action: 'sell' }, 'Go back and choose an action.'],
    ['a search', { query: 'search=x', action: 'retry' }, 'That filter isn’t valid'],
  ])('%s is reported, and plans nothing', async (_, fields, words) => {
    const before = await acts()
    const reply = await admin.post('/jobs', fields)
    expect(reply.status).toBe(422)
    expect(await textOf(reply)).toContain(words)
    expect(await acts()).toEqual(before)
  })

  test('the page of a plan without leads says so and has no start form', async () => {
    const job = await plan({ query: 'state=AK', action: 'retry' })
    const page = await (await admin.get(job)).text()
    expect(page).toContain('No lead matches this filter')
    expect(page).not.toContain('name="reason"')
    const started = await admin.post(`${job}/start`, { reason, rate: '1' })
    const cookie = `${admin.cookie}; ${started.headers.getSetCookie()[0]?.split(';')[0]}`
    expect(await textOf(await admin.get(job, { cookie }))).toContain('The job’s status has changed')
  })

  test('a new job names the size and age of its leads, and offers those of the last 30 days', async () => {
    const store = await openStore(place.settings)
    for (const daysAgo of [3, 95]) {
      await store.intake.accept(exampleArrival({ receivedAt: now - daysAgo * day, state: 'VT' }))
    }
    await store.close()
    const old = await (await admin.get('/jobs/new?state=VT')).text()
    expect(old).toContain('2 leads, the oldest received 95 d ago')
    const [, recent = ''] = /href="([^"]+)">Only leads of the last 30 days/.exec(old) ?? []
    const young = await (await admin.get(recent.replaceAll('&amp;', '&'))).text()
    expect(young).toMatch(/\(\s*1 lead, the oldest received 3 d ago\s*\)/)
    expect(young).not.toContain('Only leads of the last 30 days')
  })

  test('a form without its filter does not plan a job for every lead', async () => {
    const before = await acts()
    const reply = await admin.post('/jobs', { action: 'erase' })
    expect(reply.status).toBe(422)
    expect(await textOf(reply)).toContain('That filter isn’t valid')
    expect(await acts()).toEqual(before)
  })

  test('an unknown job, place or outcome is reported', async () => {
    for (const path of ['/jobs/x', '/jobs/x/leads?outcome=due', `/jobs/${'x'.repeat(300)}`]) {
      expect([path, (await admin.get(path)).status]).toEqual([path, 404])
    }
    expect((await admin.post('/jobs/x/cancel')).status).toBe(404)
    expect((await admin.get('/jobs?before=x')).headers.get('location')).toBe('/jobs')
    expect((await admin.get('/jobs/new?status=lost')).status).toBe(422)
  })

  test('an operator without permission for an action cannot run a job with it', async () => {
    const [viewer, operator] = [await operatorOf('viewer'), await operatorOf('operator')]
    const job = await plan({ query: 'status=quarantined', action: 'release' })
    const seen = await (await viewer.get(job)).text()
    expect(seen).toContain('Planned for 1 lead')
    // The viewer must not see who planned the job and why, because that is part of the audit log.
    expect(await (await operator.get(job)).text()).toContain('demo@example.com')
    for (const page of [seen, await (await viewer.get('/jobs')).text()]) {
      expect(page).not.toContain('demo@example.com')
      expect(page).not.toContain(reason)
    }
    expect(seen).not.toMatch(/>(Start|Cancel|Pause)</)
    expect(await (await viewer.get('/leads')).text()).not.toMatch(/Act on (all|this)/)
    for (const path of ['/jobs', `${job}/start`, `${job}/pause`, `${job}/cancel`]) {
      const fields = { query: '', action: 'retry', reason, rate: '1' }
      expect([path, (await viewer.post(path, fields)).status]).toEqual([path, 403])
    }
    expect(await (await operator.get('/jobs/new')).text()).not.toContain('value="erase"')
    const erase = { query: '', action: 'erase' }
    expect((await operator.post('/jobs', erase)).status).toBe(403)
    const erasing = await plan({ query: 'status=delivered', action: 'erase' })
    expect((await operator.post(`${erasing}/start`, { reason, rate: '1' })).status).toBe(403)
    expect((await operator.post(`${erasing}/cancel`)).status).toBe(303)
  })

  test('a job stops if its operator is disabled within milliseconds of starting it: 25 tries', async () => {
    const stateOf = async (job: string) => {
      const [row] = await askStore(
        place.settings,
        `select phase, paused_at, done, operator_id from jobs where id = '${job.replace('/jobs/', '')}'`,
      )
      return row
    }
    const begun: { readonly job: string; readonly doneWhenDisabled: unknown }[] = []
    for (let attempt = 0; attempt < 25; attempt++) {
      const operator = await operatorOf('operator')
      const reply = await operator.post('/jobs', { query: '', action: 'retry' })
      const job = reply.headers.get('location') ?? ''
      await until(async () => (await stateOf(job))?.phase === 'planned')
      const id = (await stateOf(job))?.operator_id
      // The delay varies from 4 ms before the start to 4 ms after it.
      const ahead = (attempt % 9) - 4
      const [started] = await Promise.all([
        setTimeout(Math.max(0, ahead)).then(() =>
          operator.post(`${job}/start`, { reason, rate: '1' }),
        ),
        setTimeout(Math.max(0, -ahead)).then(async () => {
          expect((await admin.post(`/operators/${id}/disable`)).status).toBe(200)
        }),
      ])
      expect([303, 401, 403]).toContain(started.status)
      begun.push({ job, doneWhenDisabled: (await stateOf(job))?.done })
    }
    // Once a later job has ended, the worker has also looked at all earlier jobs.
    const later = await plan({ query: '', action: 'retry' })
    await admin.post(`${later}/start`, { reason, rate: '1000' })
    await until(async () => (await stateOf(later))?.phase === 'ended')
    for (const { job, doneWhenDisabled } of begun) {
      const state = await stateOf(job)
      expect(state?.phase === 'planned' || state?.paused_at !== null, JSON.stringify(state)).toBe(
        true,
      )
      expect(state?.done).toBe(doneWhenDisabled)
    }
  })

  test('a job that erases shows the confirmation before its start form', async () => {
    const job = await plan({ query: 'status=duplicate', action: 'erase' })
    expect(await (await admin.get(job)).text()).toContain('name="reason"')
    now += 10 * minute + 1
    const later = await (await admin.get(job)).text()
    expect(later).not.toContain('name="reason"')
    expect(later).toMatch(new RegExp(`action="/confirm"[^>]*>.{0,80}value="${job}"`))
    const refused = await admin.post(`${job}/start`, { reason, rate: '1' })
    expect(refused.headers.get('location')).toMatch(/^\/confirm\?for=erase\+leads/)
    expect(await textOf(await admin.get(job))).toContain('nothing has changed yet')
    expect((await admin.post(`${job}/cancel`)).status).toBe(303)
    expect(await textOf(await admin.get(job))).toContain('Canceled before it started')
  })
})
