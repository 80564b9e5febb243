import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import type { LeadRequest } from '#contract/lead-request.ts'
import { steps } from '#domain/enquiry/enquiry.ts'
import { exampleAnswers } from '#tests/enquiry/example-answers.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { type ApiVisitor, apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { proofOf } from '#tests/product/solve-challenge.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { askStore } from '#tests/store/ask-store.ts'

/** With this limit, a network is busy from its second lead on. */
const variables = { TRUSTED_PROXIES: '127.0.0.1', LEADS_PER_NETWORK: '10' }
const busy = { 'x-forwarded-for': '203.0.113.99' }

let networks = 0
/** Makes the header of a network that no other request uses. */
const quiet = () => ({ 'x-forwarded-for': `198.51.100.${++networks}` })

let now = Date.now()
let product: InProcessProduct
let visitor: ApiVisitor
beforeAll(async () => {
  product = await startInProcess(variables, undefined, () => now)
  visitor = await apiVisitor(product.url)
  await makeBusy(visitor)
})
afterAll(() => product.stop())

const makeBusy = (from: ApiVisitor) => from.post('leads', exampleLead(), { ...newKey(), ...busy })

type Hints = Partial<Pick<LeadRequest, 'remarks' | 'filledInMs' | 'altcha'>>

interface StoredResult {
  readonly signals: readonly string[]
  readonly isQuarantined: boolean
}

async function storedResultOf(email: string): Promise<StoredResult | undefined> {
  const [row] = await askStore(
    product.store,
    `select leads.signals, quarantined_at, consents.lead_id as consent, deliveries.id as delivery from leads
     left join consents on consents.lead_id = leads.id left join deliveries on deliveries.lead_id = leads.id
     where email = '${email}'`,
  )
  if (row === undefined) return undefined
  expect(row.consent).not.toBeNull()
  const isQuarantined = row.quarantined_at !== null
  expect(row.delivery === null).toBe(isQuarantined)
  return { signals: row.signals === null ? [] : JSON.parse(String(row.signals)), isQuarantined }
}

/** Sends an enquiry to the API and expects the usual reply, whether the lead is quarantined or not. */
async function sent(hints: Hints, headers: Record<string, string> = quiet(), lead = {}) {
  const body = exampleLead(lead)
  const reply = await visitor.post('leads', { ...body, ...hints }, { ...newKey(), ...headers })
  expect(reply.status).toBe(201)
  expect(await reply.json()).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/) })
  return storedResultOf(body.lead.email)
}

describe('by the API', () => {
  test.each<[string, Hints]>([
    ['of a client that says nothing of itself', {}],
    ['of an empty field that people do not see', { remarks: '' }],
    ['of a form that took three seconds', { filledInMs: 3000 }],
    ['of a page that was open for a week', { filledInMs: 604_800_000 }],
    ['with hints that are mangled', { filledInMs: '5', remarks: 7, altcha: [] } as never],
  ])('an enquiry %s is delivered', async (_, hints) => {
    expect(await sent(hints)).toEqual({ signals: [], isQuarantined: false })
  })

  test('a filled-in honeypot leads to quarantine, also from this machine', async () => {
    const fate = { signals: ['honeypot-filled'], isQuarantined: true }
    expect(await sent({ remarks: 'http://buy.example' })).toEqual(fate)
    expect(await sent({ remarks: 'http://buy.example' }, {})).toEqual(fate)
  })

  test('a visitor faster than any person is quarantined', async () => {
    expect(await sent({ filledInMs: 1500 })).toEqual({ signals: ['too-fast'], isQuarantined: true })
  })

  test('a request from this machine is never too fast', async () => {
    expect(await sent({ filledInMs: 5 }, {})).toEqual({ signals: [], isQuarantined: false })
  })

  test('a lead with a disposable address is flagged and delivered', async () => {
    const email = `${randomUUID()}@mailinator.com`
    expect(await sent({}, quiet(), { email })).toEqual({
      signals: ['disposable-mail'],
      isQuarantined: false,
    })
  })
})

describe('from a busy network', () => {
  const submit = (key: object, lead = exampleLead(), hints: Hints = {}) =>
    visitor.post('leads', { ...lead, ...hints }, { ...key, ...busy })

  test('an enquiry with a proof of work is stored', async () => {
    const [key, lead] = [newKey(), exampleLead()]
    const challenged = await submit(key, lead)
    expect(challenged.status).toBe(429)
    expect(challenged.headers.get('retry-after')).toBe('60')
    expect(challenged.headers.get('content-type')).toBe('application/problem+json')
    const { challenge, detail } = await challenged.json()
    expect(detail).toContain('again')
    expect(await storedResultOf(lead.lead.email)).toBeUndefined()

    const altcha = await proofOf(challenge)
    expect((await submit(key, lead, { altcha })).status).toBe(201)
    expect(await storedResultOf(lead.lead.email)).toEqual({
      signals: ['busy-network'],
      isQuarantined: false,
    })
    expect((await submit(key, lead, { altcha })).status).toBe(200)
  })

  test('an enquiry with a disposable email address is quarantined', async () => {
    const [key, lead] = [newKey(), exampleLead({ email: `${randomUUID()}@mailinator.com` })]
    const { challenge } = await (await submit(key, lead)).json()
    expect((await submit(key, lead, { altcha: await proofOf(challenge) })).status).toBe(201)
    expect(await storedResultOf(lead.lead.email)).toEqual({
      signals: ['busy-network', 'disposable-mail'],
      isQuarantined: true,
    })
  })

  test('an invalid enquiry gets its errors, not a challenge', async () => {
    expect((await submit(newKey(), exampleLead({ phone: '1' }))).status).toBe(422)
  })

  test('a proof is valid for its own enquiry only', async () => {
    const [key, lead] = [newKey(), exampleLead()]
    const { challenge } = await (await submit(key, lead)).json()
    const altcha = await proofOf(challenge)
    expect((await submit(newKey(), lead, { altcha })).status).toBe(429)
    expect((await submit(key, exampleLead(), { altcha })).status).toBe(429)
  })

  test('an invented, shortened or self-made proof is refused', async () => {
    const [key, lead] = [newKey(), exampleLead()]
    const { challenge } = await (await submit(key, lead)).json()
    const solved = JSON.parse(Buffer.from(await proofOf(challenge), 'base64').toString())
    const easier = { ...challenge.parameters, cost: 1, keyPrefix: '00' }
    const forged = [
      { ...solved, solution: { ...solved.solution, derivedKey: challenge.parameters.keyPrefix } },
      { ...solved, challenge: { ...challenge, parameters: easier } },
      { ...solved, challenge: { ...challenge, signature: '' } },
      { challenge },
      null,
    ].map((payload) => Buffer.from(JSON.stringify(payload)).toString('base64'))
    for (const altcha of ['', 'x', '{}', ...forged]) {
      expect((await submit(key, lead, { altcha })).status).toBe(429)
    }
  })

  test('an expired proof leads to a new challenge', async () => {
    const [key, lead] = [newKey(), exampleLead()]
    now -= 11 * 60_000
    const { challenge } = await (await submit(key, lead)).json()
    now += 11 * 60_000
    const reply = await submit(key, lead, { altcha: await proofOf(challenge) })
    expect(reply.status).toBe(429)
    expect(await reply.json()).toMatchObject({ challenge: { signature: expect.any(String) } })
  })

  test('a proof is valid although the machine’s clock is wrong by hours', async () => {
    for (const hours of [-3, 5]) {
      now += hours * 3_600_000
      const [key, lead] = [newKey(), exampleLead()]
      const { challenge } = await (await submit(key, lead)).json()
      const reply = await submit(key, lead, { altcha: await proofOf(challenge) })
      expect(reply.status).toBe(201)
      now -= hours * 3_600_000
    }
  })

  test('another process on the same store accepts the proof', async () => {
    const database = await freshDatabase(inject('postgresUrl'))
    onTestFinished(database.drop)
    const startBusy = async () => {
      const started = await startInProcess({ ...variables, DATABASE_URL: database.url })
      onTestFinished(started.stop)
      const from = await apiVisitor(started.url)
      await makeBusy(from)
      return from
    }
    const [one, other] = [await startBusy(), await startBusy()]
    const [key, lead] = [newKey(), exampleLead()]
    const challenged = await one.post('leads', lead, { ...key, ...busy })
    expect((await other.post('leads', exampleLead(), { ...newKey(), ...busy })).status).toBe(429)
    const altcha = await proofOf((await challenged.json()).challenge)
    const reply = await other.post('leads', { ...lead, altcha }, { ...key, ...busy })
    expect(reply.status).toBe(201)
  })
})

describe('by the posted form', () => {
  /** The answers to each step. Each test has its own email address, and the address check finds city and state. */
  const answers = steps.map(({ fields }) =>
    Object.fromEntries(
      fields
        .filter((field) => !['email', 'city', 'state'].includes(field))
        .map((field) => [field, exampleAnswers[field]]),
    ),
  )

  const hiddenFields = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<input type="hidden" name="(\w+)"(?: value="([^"]*)")?/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    )

  /** Fills in the steps as a browser without JavaScript does, with a delay before each. */
  async function fill(stepTakesMs: number, headers: Record<string, string>, more = {}) {
    const email = `${randomUUID()}@example.com`
    let form: Record<string, string> = { step: '0' }
    let reply: Response | undefined
    for (const answer of answers) {
      reply = await fetch(`${product.url}/business`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: product.url, ...headers },
        body: new URLSearchParams({ ...form, email, ...answer, remarks: '', ...more }),
      })
      now += stepTakesMs
      if (reply.status === 200) form = hiddenFields(await reply.text())
    }
    expect(reply?.status).toBe(303)
    return storedResultOf(email)
  }

  test('a person’s enquiry is delivered', async () => {
    expect(await fill(1000, quiet())).toEqual({ signals: [], isQuarantined: false })
  })

  test('a robot that sends all four steps at once is quarantined, and sees the thank-you page', async () => {
    expect(await fill(100, quiet())).toEqual({ signals: ['too-fast'], isQuarantined: true })
  })

  test('a request from this machine is never too fast', async () => {
    expect(await fill(0, {})).toEqual({ signals: [], isQuarantined: false })
  })

  test('a clock that was set back is no sign of abuse', async () => {
    expect(await fill(-60_000, quiet())).toEqual({ signals: [], isQuarantined: false })
  })

  test('a filled-in honeypot leads to quarantine', async () => {
    expect(await fill(1000, quiet(), { remarks: 'Hello' })).toEqual({
      signals: ['honeypot-filled'],
      isQuarantined: true,
    })
  })

  test('an enquiry from a busy network is quarantined, because the form cannot prove work', async () => {
    expect(await fill(1000, busy)).toEqual({ signals: ['no-proof'], isQuarantined: true })
  })
})

test('quarantined leads are counted by signal and appear in the gauge', async () => {
  const metrics = await (await fetch(`${product.url}/metrics`)).text()
  expect(metrics).toMatch(/^leads_quarantined_total\{signal="too-fast"\} 2$/m)
  expect(metrics).toMatch(/^leads_quarantined_total\{signal="no-proof"\} 1$/m)
  expect(metrics).toMatch(/^requests_limited_total\{what="challenge"\} [1-9]\d*$/m)
  const { n } =
    (await askStore(product.store, 'select count(quarantined_at) as n from leads'))[0] ?? {}
  expect(metrics).toContain(`leads{status="quarantined"} ${n}`)
  expect(product.logLines.join('')).not.toMatch(/buy\.example|mailinator/)
})
