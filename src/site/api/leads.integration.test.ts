import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openStore, type Store } from '#server/store/open-store.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { type ApiVisitor, apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { arrivals } from '#tests/product/sandbox-ledger.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { withDatabase } from '#tests/store/with-database.ts'

const uuid = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

describe.each(['SQLite', 'PostgreSQL'])('a lead posted to a product on %s', (kind) => {
  let product: InProcessProduct
  let visitor: ApiVisitor
  let removeDatabase = async () => {}
  let store: Store
  beforeAll(async () => {
    if (kind === 'PostgreSQL') {
      const database = await freshDatabase(inject('postgresUrl'))
      removeDatabase = database.drop
      product = await startInProcess({ DATABASE_URL: database.url })
    } else {
      product = await startInProcess()
    }
    visitor = await apiVisitor(product.url)
    store = await openStore(product.store)
  })
  afterAll(async () => {
    await store.close()
    await product.stop()
    await removeDatabase()
  })

  const storedLeadsWith = (email: string) =>
    askStore(product.store, `select id, duplicate_of, payload from leads where email = '${email}'`)

  const find = (id: string) => store.leadReader.find(id, Date.now())

  test('is on disk with every answer when the 201 arrives', async () => {
    // Invisible characters and line breaks are removed; a joiner in a Persian name stays.
    const body = exampleLead({
      phone: '9415550123',
      state: 'fl',
      firstName: ' Zo\u200bë\u202e\ud800',
      lastName: "O'\u0000Neill علی\u200cرضا",
      address: '123\tMain\u009b St\u2028',
    })
    const before = Date.now()
    const reply = await visitor.post(
      'leads',
      { ...body, subId: ' aff\u0000\u202e 7 ', addressVerified: true, zipPlus4: '34236-5610' },
      {
        ...newKey(),
        referer: `${product.url}/business?email=x`,
        'user-agent': 'Example\u009b/1.0',
      },
    )
    const rows = await storedLeadsWith(body.lead.email)
    expect(reply.status).toBe(201)
    expect(reply.headers.get('content-type')).toBe('application/json')
    const { id, ...rest } = (await reply.json()) as { id: string }
    expect(id).toMatch(uuid)
    expect(rest).toEqual({})
    expect(rows).toMatchObject([{ id }])

    const details = await find(id)
    expect(details?.lead).toMatchObject({
      firstName: 'Zoë',
      lastName: "O'Neill علی\u200cرضا",
      phone: '9415550123',
      email: body.lead.email,
      address: '123 Main St',
      zip: '34236',
      zipPlus4: '34236-5610',
      city: 'Sarasota',
      state: 'FL',
      educationLevel: 790,
      graduatingYear: 2012,
      program: { id: 1 },
      startDate: 'immediately',
      area: 'business',
      subId: 'aff 7',
      addressVerified: true,
      consent: { ip: '127.0.0.1', userAgent: 'Example/1.0', pageUrl: `${product.url}/business` },
    })
    expect(details?.lead.receivedAt).toBeGreaterThanOrEqual(before)
    expect(details?.delivery).not.toBeNull()
  })

  test('is delivered to the distributor', async () => {
    const body = exampleLead()
    await visitor.post('leads', body, newKey())
    const [arrival] = await arrivals(product.sandboxUrl, body.lead.email)
    expect(arrival?.body).toMatchObject({
      campaign_code: 'demo-campaign',
      lead: { firstname: 'Zoë', phone1: '9415550100', ip: '127.0.0.1', test: false, gender: 'F' },
    })
    expect(arrival?.body).not.toHaveProperty('subId')
  })

  test('is unverified and without an affiliate id if the call contains neither', async () => {
    const reply = await visitor.post('leads', exampleLead(), newKey())
    const { id } = (await reply.json()) as { id: string }
    expect((await find(id))?.lead).toMatchObject({
      addressVerified: false,
      subId: null,
      zipPlus4: null,
    })
  })

  test('stores when its page was opened, if the browser sends it', async () => {
    const openedAt = async (filledInMs: unknown) => {
      const reply = await visitor.post('leads', { ...exampleLead(), filledInMs }, newKey())
      const { lead } = (await find(((await reply.json()) as { id: string }).id)) ?? {}
      return lead && 'openedAt' in lead && [lead.openedAt, lead.receivedAt]
    }
    const [at, receivedAt] = (await openedAt(90_000)) || []
    expect(at).toBe(Number(receivedAt) - 90_000)
    for (const odd of [undefined, -5, 1e12]) expect(((await openedAt(odd)) || [])[0]).toBeNull()
  })

  test('is the same lead if the key is repeated, and another lead if the answers differ', async () => {
    const key = newKey()
    const first = exampleLead()
    const { email } = first.lead
    const correction = exampleLead({ email, phone: '(941) 555-0199' })
    const post = async (body: object) => {
      const reply = await visitor.post('leads', body, key)
      return { status: reply.status, ...((await reply.json()) as { id: string }) }
    }
    const created = await post(first)
    expect(created.status).toBe(201)
    const unstatedFields = {
      filledInMs: 9000,
      subId: 'b',
      addressVerified: true,
      zipPlus4: '34236-5610',
    }
    expect(await post({ ...first, ...unstatedFields })).toEqual({ status: 200, id: created.id })
    const corrected = await post(correction)
    expect(corrected.status).toBe(201)
    expect(corrected.id).not.toBe(created.id)
    expect(await post(correction)).toEqual({ status: 200, id: corrected.id })
    expect(await post(first)).toEqual({ status: 200, id: created.id })

    const sent = await arrivals(product.sandboxUrl, email, 2)
    expect(sent.map(({ body }) => body.lead.phone1).toSorted()).toEqual([
      '9415550100',
      '9415550199',
    ])
    expect(await find(corrected.id)).toMatchObject({ corrects: created.id })
    expect(await find(created.id)).toMatchObject({ correctedBy: [corrected.id] })
  })

  test('is one lead for each content if 64 calls with one key arrive at once', async () => {
    const key = newKey()
    const first = exampleLead()
    const { email } = first.lead
    const bodies = [first, exampleLead({ email, phone: '(941) 555-0199' })]
    const replies = await Promise.all(
      Array.from({ length: 64 }, async (_, index) => {
        const reply = await visitor.post('leads', bodies[index % 2], key)
        return { status: reply.status, content: index % 2, text: await reply.text() }
      }),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([
      ...Array(62).fill(200),
      201,
      201,
    ])
    const answers = new Set(replies.map(({ content, text }) => `${content} ${text}`))
    expect(answers.size).toBe(2)
    expect(await storedLeadsWith(email)).toHaveLength(2)
  })

  test('is stored but not delivered when the same person asks for the same program again', async () => {
    const first = exampleLead()
    const { email } = first.lead
    // A forged enquiry with the person's email and phone must not replace the person's own enquiry.
    await visitor.post('leads', exampleLead({ email, firstName: 'Nobody' }), newKey())
    const answer = await visitor.post('leads', first, newKey())
    await arrivals(product.sandboxUrl, email, 2)
    const again = exampleLead({ email: email.toUpperCase(), phone: '941.555.0100' })
    const reply = await visitor.post('leads', again, newKey())
    expect(reply.status).toBe(201)
    const { id } = (await reply.json()) as { id: string }
    expect(await find(id)).toMatchObject({
      status: 'duplicate',
      duplicateOf: ((await answer.json()) as { id: string }).id,
      delivery: null,
    })

    const otherProgram = exampleLead({ email, programId: 2 })
    await visitor.post('leads', otherProgram, newKey())
    // The other program's lead came later: if the duplicate had a delivery, it would have arrived first.
    const sent = await arrivals(product.sandboxUrl, email, 3)
    expect(
      sent.map(({ body }) => `${body.lead.firstname} ${body.lead_education.program_id}`).toSorted(),
    ).toEqual(['Nobody 1', 'Zoë 1', 'Zoë 2'])
    expect(await arrivals(product.sandboxUrl, again.lead.email, 0)).toEqual([])
  })

  test('is answered with 503 when it cannot be stored, and is stored by the same key later', async () => {
    const key = newKey()
    const body = exampleLead()
    // The rename runs in another thread: waiting for the lock in this thread would block the product, which holds the
    // lock.
    const rename = (from: string, to: string) =>
      withDatabase(product.store, (db) => db.schema.alterTable(from).renameTo(to).execute())
    await rename('consents', 'consents_gone')
    const refused = await visitor.post('leads', body, key)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(await refused.json()).toEqual({
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      detail: 'The enquiry could not be stored. Send the enquiry again with the same key.',
    })
    expect(await storedLeadsWith(body.lead.email)).toEqual([])
    await rename('consents_gone', 'consents')
    const accepted = await visitor.post('leads', body, key)
    expect(accepted.status).toBe(201)
    expect(await storedLeadsWith(body.lead.email)).toHaveLength(1)
  })

  test('may carry emoji and right-to-left names', async () => {
    for (const firstName of ['👩‍🎓🏽', 'שָׁרָה', 'ｗｉｄｅ', 'a'.repeat(100)]) {
      const body = exampleLead({ firstName })
      const reply = await visitor.post('leads', body, { 'idempotency-key': randomUUID() })
      expect(reply.status, firstName).toBe(201)
      const { id } = (await reply.json()) as { id: string }
      expect((await find(id))?.lead).toMatchObject({ firstName })
      await arrivals(product.sandboxUrl, body.lead.email)
    }
  })
})
