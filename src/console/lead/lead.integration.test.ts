import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LeadStatus } from '#domain/lead/lead-status.ts'
import { toReference } from '#domain/lead/reference.ts'
import { revealLimit } from '#domain/operator/permissions.ts'
import { markOpenInDoubt } from '#server/delivery/change-deliveries.ts'
import { openStore } from '#server/store/open-store.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { examplePassword, operatorOf } from '#tests/console/operator-of.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { attemptUnreadable } from '#tests/store/attempt-unreadable.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { type StorePlace, storePlaces } from '#tests/store/store-places.ts'

const minute = 60_000

/** Returns the text of a page without markup. */
const textOf = async (reply: Response) =>
  (await reply.text())
    .replace(/<style>.*?<\/style>/s, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&#x27;', '’')
    .replaceAll('&quot;', '"')

describe.each(storePlaces)('one lead on $name', ({ makePlace }) => {
  let place: StorePlace
  let product: InProcessProduct
  let ids: Record<LeadStatus, string>
  let admin: SignedIn
  let now: number

  beforeAll(async () => {
    place = await makePlace()
    const store = await openStore(place.settings)
    await store.migrate()
    ids = await storeLeadOfEachStatus(store)
    await store.close()
    now = exampleTime + 5 * 1000
    const { dataDir, databaseUrl } = place.settings
    product = await startInProcess(
      {
        ROLE: 'console',
        ...(databaseUrl === undefined ? { DATA_DIR: dataDir } : { DATABASE_URL: databaseUrl }),
      },
      undefined,
      () => now,
      () => now,
    )
    admin = await signIn(product.consoleLink)
  })
  afterAll(async () => {
    await product.stop()
    await place.remove()
  })

  const page = async (id: string, who = admin) => textOf(await who.get(`/leads/${id}`))

  /** Checks that an action redirects to the lead's page, and resolves with that page's text. */
  async function follow(id: string, reply: Response, who = admin) {
    expect(reply.status).toBe(303)
    expect(reply.headers.get('location')).toBe(`/leads/${id}`)
    const noticeCookies = reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    return textOf(
      await who.get(`/leads/${id}`, { cookie: [who.cookie, ...noticeCookies].join('; ') }),
    )
  }
  const act = async (id: string, what: string, who = admin, fields = {}) =>
    follow(id, await who.post(`/leads/${id}/${what}`, fields), who)

  test.each<[LeadStatus, RegExp]>([
    ['pending', /Next attempt in 4 m 55 s.*no complete answer in time/],
    ['leased', /Being delivered/],
    ['delivered', /Accepted.*Page opened.*Received from.*Attempt 1: accepted.*HTTP 200/],
    ['rejected', /Rejected.*monthly cap reached\. Message: Response hidden.*Attempt 1/],
    ['dead', /Failed: no further attempts.*HTTP 500, the distributor failed/],
    ['duplicate', /Duplicate.*, which is delivered instead/],
    ['quarantined', /In quarantine.*[Ff]illed in within two seconds.*Quarantined until/],
    ['erased', /Erased on request.*kept as proof.*Personal data erased on request/],
  ])('the page of a lead that is %s explains the status', async (status, words) => {
    expect(await page(ids[status])).toMatch(words)
  })

  test('masks the person’s data everywhere, also for an admin', async () => {
    const pageText = await (await admin.get(`/leads/${ids.dead}`)).text()
    for (const part of ['dead@example.com', 'Zoë', 'Neill', '9415550100', 'Palm', '203.0.113.7']) {
      expect(pageText).not.toContain(part)
    }
    expect(pageText).toContain('d•••@e•••.com')
    expect(pageText).toContain('Response hidden')
    expect(pageText).toContain('To read the response, select Reveal.')
    expect(pageText).not.toContain('no: ')
  })

  test('reveals the person’s data in one reply, after recording it in the audit log', async () => {
    const operator = await operatorOf(product, admin, 'operator')
    const reply = await operator.post(`/leads/${ids.dead}/reveal`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    const pageText = await textOf(reply)
    expect(pageText).toContain('dead@example.com')
    expect(pageText).toMatch(/Message: \S?no: dead@example\.com.*Attempt 1/)
    expect(pageText).toContain('"phone1": "9415550100"')
    expect(pageText).toContain('203.0.113.7')
    expect(pageText).toMatch(/operator0\S+ revealed a lead/)
    expect(await page(ids.dead, operator)).not.toContain('dead@example.com')
    const audit = await askStore(
      place.settings,
      `select subject from audit where action = 'revealed a lead'`,
    )
    expect(audit).toEqual([{ subject: ids.dead }])
    expect((await operator.get(`/leads/${ids.dead}/reveal`)).headers.get('location')).toBe(
      `/leads/${ids.dead}`,
    )
  })

  /** Returns a function that records further reveals, as if the operator who revealed a lead last had made them. */
  async function lastWhoRevealed() {
    const [last] = await askStore(
      place.settings,
      `select operator_id, network from audit where action = 'revealed a lead' order by id desc limit 1`,
    )
    const actor = {
      kind: 'console',
      id: String(last?.operator_id),
      email: '',
      network: String(last?.network),
      role: 'operator',
      lastAuthenticatedAt: now,
    } as const
    return async (times: number) => {
      const store = await openStore(place.settings)
      for (let time = 0; time < times; time++) {
        await store.audit.record(actor, { action: 'revealed a lead', subject: ids.dead }, now)
      }
      await store.close()
    }
  }

  test('an operator who has revealed many people must confirm with the password, and a script cannot reveal more', async () => {
    const operator = await operatorOf(product, admin, 'operator')
    const path = `/leads/${ids.dead}/reveal`
    const revealed = async (times: number) => {
      const replies = await Promise.all(Array.from({ length: times }, () => operator.post(path)))
      return replies.filter(({ status }) => status === 200).length
    }
    now += 1
    expect(await revealed(1)).toBe(1)
    await (await lastWhoRevealed())(revealLimit.most - 2)
    expect(await revealed(1)).toBe(1)
    const reveals = async () =>
      (await askStore(place.settings, `select id from audit where action = 'revealed a lead'`))
        .length
    const before = await reveals()
    expect(await revealed(1)).toBe(0)
    expect(await revealed(20)).toBe(0)
    expect(await reveals(), 'refused reveals have no entries').toBe(before)
    const asked = await operator.post(path)
    const confirm = asked.headers.get('location') ?? ''
    const pageText = await textOf(await operator.get(confirm))
    expect(pageText).toContain('You have revealed or searched for 60 people within an hour.')
    now += 1
    const back = await operator.post('/confirm', { password: examplePassword, to: path })
    expect(back.headers.get('location')).toBe(path)
    expect(await textOf(await operator.post(path))).toContain('dead@example.com')
    expect(await revealed(1)).toBe(1)
    expect(await revealed(revealLimit.most + 10), 'at once').toBeLessThan(revealLimit.most)
    const metrics = await (await fetch(`${operator.origin}/metrics`)).text()
    const refused = /console_reveals_refused_total (\d+)/.exec(metrics)?.[1]
    expect(Number(refused)).toBeGreaterThan(21)
  })

  test('after the clock is set back, the reveal limit neither locks operators out nor allows more', async () => {
    now += 1
    const was = now
    const operator = await operatorOf(product, admin, 'operator')
    const path = `/leads/${ids.dead}/reveal`
    const reveal = async () => (await operator.post(path)).status
    expect(await reveal()).toBe(200)
    const revealMore = await lastWhoRevealed()
    await revealMore(revealLimit.most - 1)
    expect(await reveal()).toBe(303)
    now -= 30 * 60 * 1000
    try {
      expect(await reveal()).toBe(200)
      await revealMore(revealLimit.most - 1)
      expect(await reveal()).toBe(303)
    } finally {
      now = was
    }
  })

  test('a viewer sees no buttons, and their posted forms are refused', async () => {
    const viewer = await operatorOf(product, admin, 'viewer')
    const shown = await (await viewer.get(`/leads/${ids.dead}`)).text()
    expect(shown).not.toMatch(/>(Reveal|Retry|Release|Settle|Erase)</)
    expect(shown).not.toContain('revealed a lead')
    expect(shown).toContain('Response hidden')
    expect(shown).not.toContain('no: ')
    for (const what of ['reveal', 'retry', 'release', 'settle', 'erase']) {
      const reply = await viewer.post(`/leads/${ids.quarantined}/${what}`)
      expect([what, reply.status]).toEqual([what, 403])
      expect(await reply.text()).not.toContain('quarantined@example.com')
    }
    expect((await viewer.get(`/leads/${ids.dead}/erase`)).status).toBe(403)
  })

  test('an operator sees the buttons that the status allows, and an admin also sees Erase', async () => {
    const operator = await operatorOf(product, admin, 'operator')
    const buttons = async (id: string, who: SignedIn) =>
      [
        ...(await (await who.get(`/leads/${id}`)).text()).matchAll(
          />(Reveal|Retry|Release|Settle|Erase)<\/button>/g,
        ),
      ].map(([, name]) => name)
    expect(await buttons(ids.rejected, operator)).toEqual(['Reveal', 'Retry', 'Settle'])
    expect(await buttons(ids.quarantined, operator)).toEqual(['Reveal', 'Release'])
    expect(await buttons(ids.delivered, operator)).toEqual(['Reveal'])
    expect(await buttons(ids.erased, operator)).toEqual([])
    expect(await buttons(ids.delivered, admin)).toEqual(['Reveal', 'Erase'])
    expect(await buttons(ids.erased, admin)).toEqual([])
  })

  test('the lead’s page shows the result of an action once', async () => {
    expect(await act(ids.rejected, 'retry')).toContain('The status was “rejected” before.')
    expect(await page(ids.rejected)).not.toContain('The status was “rejected” before.')
    expect(await page(ids.rejected)).toMatch(/retried a delivery.*due/)
    expect(await act(ids.quarantined, 'release')).toContain('Released: the delivery is due now')
    expect(await act(ids.quarantined, 'release')).toContain('The lead is not in quarantine')
    expect(await act(ids.delivered, 'retry')).toContain('has already accepted the lead')
  })

  test('an operator records the distributor’s answer, and the audit log has its source', async () => {
    const store = await openStore(place.settings)
    const { lead, ...arrival } = exampleArrival({ receivedAt: now, email: 'asked@example.com' })
    await store.intake.accept({ ...arrival, lead })
    await store.close()
    const settle = (fields: Record<string, string>) =>
      admin.post(`/leads/${lead.id}/settle`, fields)

    expect(await textOf(await admin.get(`/leads/${lead.id}/settle`))).toMatch(
      /The distributor has this lead.*The distributor rejected this lead/,
    )
    const asked = await settle({ reason: 'they “wrote”' })
    expect(asked.status).toBe(422)
    const askedAgain = await asked.text()
    expect(askedAgain).toContain('Choose the distributor’s answer')
    expect(askedAgain).toContain('value="they “wrote”"')
    expect(await page(lead.id)).not.toContain('settled a delivery')

    const rejected = await follow(lead.id, await settle({ as: 'rejected', reason: 'by phone' }))
    // The test settles the lead as rejected first, because a delivered lead stays delivered.
    expect(rejected).toMatch(
      /Settled by hand as rejectedThe status was “waiting” before. The workers send nothing./,
    )
    expect(rejected).toMatch(/Rejected.*settled by an operator/)
    expect(rejected).toMatch(/settled a delivery.*as rejected: by phone/)
    const left = await (await admin.get(`/leads/${lead.id}/settle`)).text()
    expect(left).not.toContain('The distributor rejected this lead')
    expect(left, 'nothing to choose').not.toContain('type="radio"')
    expect(left).toContain('<input type="hidden" name="as" value="delivered"/>')
    const delivered = await follow(lead.id, await settle({ as: 'delivered' }))
    expect(delivered).toMatch(
      /Settled by hand as acceptedThe status was “rejected” before.*Accepted.*Accepted: settled by an operator/,
    )
    expect(await follow(lead.id, await settle({ as: 'rejected' }))).toContain(
      'The distributor has already accepted the lead',
    )
    expect((await admin.get(`/leads/${lead.id}/settle`)).headers.get('location')).toBe(
      `/leads/${lead.id}`,
    )
  })

  test('a forged notice is not shown', async () => {
    const forgedNotice = Buffer.from(JSON.stringify({ kind: 'well', heading: 'Forged' })).toString(
      'base64url',
    )
    const cookie = `${admin.cookie}; console-notice=${forgedNotice}.${'x'.repeat(43)}`
    expect(await textOf(await admin.get(`/leads/${ids.dead}`, { cookie }))).not.toContain('Forged')
  })

  test('says that deliveries are paused and why', async () => {
    const store = await openStore(place.settings)
    await store.breaker.pause({ reason: 'moves house', at: now })
    // The lead waits for its next attempt, which the end of a pause does not bring forward.
    expect(await page(ids.pending)).toMatch(
      /Waiting: deliveries are paused.*moves house.*A worker sends the lead after an operator resumes deliveries, and not before/,
    )
    await store.breaker.resume({ reason: '', at: now })
    await store.close()
  })

  test('links duplicates and corrections, and shows settled and restored deliveries', async () => {
    expect(await page(ids.delivered)).toContain(`Duplicates${toReference(ids.duplicate)}`)
    const store = await openStore(place.settings)
    const first = exampleArrival({ receivedAt: now, email: 'first@example.com' })
    await store.intake.accept(first)
    const second = exampleArrival(
      { receivedAt: now + 1, email: 'mended@example.com' },
      first.idempotencyKey,
    )
    await store.intake.accept(second)
    await markOpenInDoubt(store.database, now)
    await settleLead(store, first.lead.id, 'delivered', now)
    await store.close()
    const pageText = await page(first.lead.id)
    expect(pageText).toContain(`Corrected by${toReference(second.lead.id)}`)
    expect(pageText).toMatch(/Restored from a backup.*Accepted: settled by an operator/)
    expect(await page(second.lead.id)).toContain(`Corrects${toReference(first.lead.id)}`)
  })

  test('a viewer cannot learn that a lead is a duplicate, nor of which lead', async () => {
    const viewer = await operatorOf(product, admin, 'viewer')
    const pages = [
      `/leads/${ids.duplicate}`,
      `/leads/${ids.delivered}`,
      '/leads',
      `/leads?status=delivered`,
      '/',
    ]
    for (const path of pages) {
      expect(await (await admin.get(path)).text(), path).toMatch(/duplicate|is repeated/i)
      const pageText = await (await viewer.get(path)).text()
      expect(pageText, path).not.toMatch(/duplicate|repeat(s|ed)\b/i)
    }
    const own = await page(ids.duplicate, viewer)
    expect(own).toContain('Not sent')
    expect(own).not.toContain(ids.delivered)
    expect(own).not.toContain(toReference(ids.delivered))
    expect(await page(ids.delivered, viewer)).not.toContain(ids.duplicate)
    expect((await viewer.get('/leads?status=duplicate')).status).toBe(403)
  })

  test('the page of an unreadable lead says so, and so does a retry', async () => {
    const store = await openStore(place.settings)
    const { lead, ...arrival } = exampleArrival({ receivedAt: now, email: 'odd@example.com' })
    await store.intake.accept({ ...arrival, lead: { ...lead, phone: 5 as unknown as string } })
    const claimed = await store.queue.claimDue({ now, leaseUntil: now + minute, limit: 10 })
    for (const delivery of claimed.filter((one) => one.lead.id === lead.id)) {
      await attemptUnreadable(store, delivery, now)
    }
    await store.close()
    const pageText = await page(lead.id)
    expect(pageText).toContain('Lead can’t be read')
    expect(pageText).toContain('phone')
    expect(pageText).not.toContain('odd@example.com')
    expect(await act(lead.id, 'retry')).toContain('The lead cannot be read, so it is not sent')
  })

  test('invisible characters in a lead are shown as escapes', async () => {
    const store = await openStore(place.settings)
    const lead = { receivedAt: now, email: 'rtl@example.com', subId: 'a\u202eb' }
    const arrival = exampleArrival(lead)
    await store.intake.accept(arrival)
    await store.close()
    expect(await page(arrival.lead.id)).toContain('a\\u202eb')
  })

  test('erases after a confirmation, and shows which data is kept and why', async () => {
    const question = await textOf(await admin.get(`/leads/${ids.delivered}/erase`))
    expect(question).toContain('This cannot be undone')
    expect(question).toContain('Ask the distributor to erase its copy')
    expect(question).not.toContain('delivered@example.com')
    const pageText = await act(ids.delivered, 'erase', admin, { reason: 'asked by letter' })
    expect(pageText).toContain('The person’s data is erased')
    expect(pageText).toMatch(/ erased personal data.*asked by letter/)
    expect(pageText).toContain('Ask the distributor to erase its copy')
    expect(pageText).toMatch(/Erased on request.*kept as proof/)
    expect(pageText).toContain('asked by letter')
    expect(pageText).toContain('I agree that the school may email me')
  })

  test('asks for a passkey or password before the confirmation page, and changes nothing', async () => {
    now += 11 * minute
    for (const reply of [
      await admin.get(`/leads/${ids.dead}/erase`),
      await admin.post(`/leads/${ids.dead}/erase`),
    ]) {
      expect(reply.headers.get('location')).toMatch(/^\/confirm\?for=erase\+leads/)
    }
    expect(await page(ids.dead)).toContain('Failed: no further attempts')
  })

  test.each(['x', '019bc0de-0000-7000-8000-000000000000', 'ada@example.com'])(
    '%s is no lead, and that is all that is said or written down',
    async (id) => {
      const path = `/leads/${encodeURIComponent(id)}`
      for (const reply of [await admin.get(path), await admin.post(`${path}/reveal`)]) {
        expect(reply.status).toBe(404)
        expect(await reply.text()).toContain('There is no lead with this id')
      }
      expect((await admin.post(`${path}/retry`)).status).toBe(404)
      const audit = await askStore(place.settings, 'select subject from audit')
      expect(JSON.stringify(audit)).not.toContain('@')
    },
  )
})
