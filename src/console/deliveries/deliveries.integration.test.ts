import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toPlainLine } from '#domain/text/plain-line.ts'
import { countRecentAnswers } from '#server/alerts/overview-reader.ts'
import { makePauseActions } from '#server/delivery/pause-deliveries.ts'
import { openStore } from '#server/store/open-store.ts'
import { runLeads } from '#tests/cli/run-leads.ts'
import {
  openConsole,
  type SignedIn,
  signedIn,
  signIn,
  visitor,
} from '#tests/console/console-visitor.ts'
import { untilPasses } from '#tests/patience/until.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { type StorePlace, storePlaces } from '#tests/store/store-places.ts'

const textIn = (page: string) =>
  page
    .replace(/<style>.*?<\/style>/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

describe.each(storePlaces)('the Deliveries page on $name', ({ makePlace }) => {
  let place: StorePlace
  let product: InProcessProduct
  let admin: SignedIn
  let dead: string

  beforeAll(async () => {
    place = await makePlace()
    const { dataDir, databaseUrl } = place.settings
    product = await startInProcess({
      ROLE: 'console',
      ...(databaseUrl === undefined ? { DATA_DIR: dataDir } : { DATABASE_URL: databaseUrl }),
    })
    admin = await signIn(product.consoleLink)
    dead = await fail('no lead 17 of zoe@example.com')
  })
  afterAll(async () => {
    await product.stop()
    await place.remove()
  })

  /** Makes three leads: delivered, dead after the response `said`, and waiting. Resolves with the dead lead's id. */
  async function fail(said: string): Promise<string> {
    const store = await openStore(place.settings)
    const now = Date.now()
    const arrivals = ['9415550101', '9415550102', '9415550103'].map((phone, index) =>
      exampleArrival({ phone, receivedAt: now - 60_000 + index, email: 'zoe@example.com' }),
    )
    for (const arrival of arrivals) await store.intake.accept(arrival)
    const claim = { now, leaseUntil: now + 60_000, limit: 2 }
    for (const { id, lease, lead } of await store.queue.claimDue(claim)) {
      const isTaken = lead.id === arrivals[0]?.lead.id
      await store.queue.record({
        id: randomUUIDv7(),
        deliveryId: id,
        lease,
        startedAt: now,
        durationMs: 200,
        outcome: isTaken
          ? { name: 'delivered', httpStatus: 200 }
          : { name: 'broken', httpStatus: 500, reason: 'server-error' },
        response: toPlainLine(said),
        next: { settledAs: isTaken ? 'delivered' : 'dead', at: now },
      })
    }
    await store.close()
    return arrivals[1]?.lead.id ?? ''
  }

  const page = async (who = admin, path = '/deliveries') => (await who.get(path)).text()

  async function operatorOf(role: string): Promise<SignedIn> {
    const email = `${role}${Math.random()}@example.com`
    const invited = await (await admin.post('/operators', { email, role })).text()
    const code = /invitation\?code=([\w-]+)/.exec(invited)?.[1] ?? ''
    const guest = await visitor(openConsole(product))
    const password = 'four words nobody says'
    return signedIn(
      openConsole(product),
      await guest.post('/sign-in/invitation', { code, password }),
    )
  }

  const waitingLead = async () => {
    const [row] = await askStore(
      place.settings,
      'select lead_id from deliveries where settled_at is null',
    )
    return String(row?.lead_id)
  }

  /** Posts a pause or resume, and resolves with the page that it redirects to. */
  async function act(what: string, reason: string, who = admin): Promise<string> {
    const reply = await who.post(`/deliveries/${what}`, { reason })
    expect(reply.status).toBe(303)
    expect(reply.headers.get('location')).toBe('/deliveries')
    const noticeCookies = reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    const cookie = [who.cookie, ...noticeCookies].join('; ')
    return textIn(await (await who.get('/deliveries', { cookie })).text())
  }

  test('shows that deliveries run, the waiting leads and the results of attempts', async () => {
    const pageText = await untilPasses(async () => {
      const pageText = textIn(await page())
      expect(pageText).toMatch(/waiting 1 .*due now 1 .*oldest 1 m/)
      return pageText
    })
    expect(pageText).toContain('Deliveries are running')
    expect(pageText).toContain('Pause or resume deliveries Reason')
    expect(pageText).toMatch(/Attempts 2 .*: accepted 1, rejected 0, failed 1\./)
    const store = await openStore(place.settings)
    expect(await countRecentAnswers(store.rollups, Date.now())).toMatchObject({
      lastDay: { delivered: 1, rejected: 0 },
      before: { delivered: 0, rejected: 0 },
    })
    await store.close()
  })

  test('groups failures by response, without personal data, and links their lists', async () => {
    const html = await untilPasses(async () => {
      const html = await page()
      expect(html).toContain('<strong>HTTP 500</strong>')
      return html
    })
    expect(textIn(html)).toContain('no lead … of …')
    expect(html).not.toContain('zoe@')
    expect(html).toContain(`href="/leads/${dead}"`)
    const list = /href="(\/leads\?error=[^"]+status=dead)"/.exec(html)?.[1] ?? ''
    expect(await page(admin, list.replaceAll('&amp;', '&'))).toContain(`href="/leads/${dead}"`)
    expect(html).toContain('Retry this group')
  })

  test('a filter names a group by its error, and viewers see no response on any page', async () => {
    const html = await page()
    const link = /"\/jobs\/new\?(error=500~[^"]+)"/.exec(html)?.[1] ?? ''
    expect(link).toContain('status=dead')
    const query = link.replace(/&.*/, '')
    const planned = await admin.post('/jobs', { query, action: 'retry' })
    const job = planned.headers.get('location') ?? ''
    const viewer = await operatorOf('viewer')
    expect(textIn(await page(viewer))).toContain('HTTP 500 Response hidden')
    const file = await page(admin, '/deliveries?csv=errors&sort=errors.failed.down')
    expect(file).toMatch(
      /^\uFEFF?Response,Waiting,Failed,First,Last\r\nHTTP 500 .*no lead.*,0,1,20[^,]*T[^,]*,20[^,]*T[^,]*\r\n/,
    )
    for (const path of ['/deliveries', '/deliveries?csv=errors', job, '/jobs', `/leads?${query}`]) {
      expect(textIn(await page(viewer, path)), path).not.toContain('no lead')
    }
    for (const path of [`/jobs/new?${query}`, job, '/jobs']) {
      const pageText = textIn(await page(admin, path))
      expect(pageText, path).toMatch(/Last error:? HTTP 500, one response/)
      expect(pageText, path).not.toContain(query.replace('error=', ''))
    }
  })

  test('pauses and resumes with a reason, which the page and the audit log show', async () => {
    const operator = await operatorOf('operator')
    const pausedText = await act('pause', ' their maintenance ', operator)
    expect(pausedText).toContain('Deliveries are paused')
    expect(pausedText).toMatch(
      /Paused for less than a second .*paused by operator0\S+@example.com \(their maintenance\)/,
    )
    expect(await act('pause', 'and tomorrow')).toContain('Deliveries were already paused')
    for (const path of ['/', `/leads/${await waitingLead()}`]) {
      // The overview keeps its counts for a moment.
      await untilPasses(async () =>
        expect(textIn(await page(operator, path)), path).toMatch(
          /Paused by (?!operator)\S+@\S+\. Reason: and tomorrow/,
        ),
      )
      expect(textIn(await page(await operatorOf('viewer'), path)), path).not.toMatch(/Paused by/)
    }
    const resumed = await act('resume', 'it is over')
    expect(resumed).toContain('Deliveries are running')
    expect(await act('resume', '')).toContain('Deliveries were not paused')
    const audit = await askStore(
      place.settings,
      `select action, reason from audit where action like '%deliveries' order by id`,
    )
    expect(audit).toEqual([
      { action: 'paused deliveries', reason: 'their maintenance' },
      { action: 'paused deliveries', reason: 'and tomorrow' },
      { action: 'resumed deliveries', reason: 'it is over' },
    ])
  })

  test('names the user of a command who paused, and the command names an operator', async () => {
    const store = await openStore(place.settings)
    const pauseDeliveries = makePauseActions({ ...store, clock: Date.now })
    await pauseDeliveries({ kind: 'command line', user: 'root' }, 'pause', 'their move')
    expect(textIn(await page())).toContain('paused by root (command line) (their move).')
    await act('pause', 'by me')
    const { stdout } = await runLeads(place.settings, ['stats'])
    expect(stdout).toMatch(/paused since \S+ by \S+@\S+ \(by me\)/)
    await act('resume', '')
    await store.close()
  })

  test('shows since when the distributor fails, and where to look', async () => {
    const store = await openStore(place.settings)
    const since = Date.now() - 60_000
    await store.breaker.trip({
      cause: 'outage',
      reason: 'HTTP 200',
      since,
      at: since,
    })
    expect(textIn(await page())).toMatch(
      /Outage for 1 m.*: the distributor sends unusable answers \(HTTP 200\).*one lead at a time.*Check DISTRIBUTOR_URL/,
    )
    expect(await page()).not.toContain('>Resume<')
    expect(await page()).toContain('>Try now<')
    expect(await act('resume', '')).toContain('Deliveries were not paused')
    expect(await act('try', 'they say it works')).toContain('makes the next call within a second')
    expect((await store.breaker.read()).trip?.probeAt).toBeGreaterThan(since + 59_000)
    await act('pause', '')
    expect(await page()).not.toContain('>Try now<')
    expect(await act('try', '')).toContain('No further call was made')
    await act('resume', '')
    await store.close()
  })

  test('a viewer sees the page, and cannot pause, resume or retry', async () => {
    const viewer = await operatorOf('viewer')
    const html = await page(viewer)
    expect(html).not.toMatch(/operator0|>Pause<|>Resume<|>Try now<|Retry this group/)
    for (const what of ['pause', 'resume', 'try']) {
      expect((await viewer.post(`/deliveries/${what}`, { reason: '' })).status).toBe(403)
    }
    expect(textIn(await page())).toContain('Deliveries are running')
  })

  test('an invalid value is reported at its field, and the form keeps the typed text', async () => {
    const reason = 'x'.repeat(201)
    const reply = await admin.post('/deliveries/pause', { reason })
    expect(reply.status).toBe(400)
    const html = await reply.text()
    expect(html).toContain('Nothing was changed')
    expect(html).toContain('Use 200 characters or fewer. You entered 201.')
    expect(html).toContain(`value="${reason}"`)
  })
})
