import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry } from '#server/operators/audit.ts'
import { openStore } from '#server/store/open-store.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { operatorOf } from '#tests/console/operator-of.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'

const day = 24 * 60 * 60 * 1000
const lead = '019bc0de-0000-7000-8000-000000000001'

let product: InProcessProduct
let admin: SignedIn
let now = Date.UTC(2026, 10, 20, 12)
beforeAll(async () => {
  product = await startInProcess({ ROLE: 'console' }, undefined, () => now)
  const store = await openStore(product.store)
  const grace = { kind: 'command line', user: 'grace' } as const
  for (let index = 0; index < 60; index++) {
    const entry = { action: 'retried a delivery', subject: lead } as const
    const id = await store.audit.record(grace, entry, now - 2 * day + index)
    await store.audit.recordOutcome(id, 'due')
  }
  const root = { kind: 'command line', user: 'root' } as const
  const reason = '=HYPERLINK("x") \u202e'
  await store.audit.record(root, { action: 'paused deliveries', reason }, now - day)
  await store.close()
  admin = await signIn(product.consoleLink)
})
afterAll(() => product.stop())

const textAt = async (path: string) => (await admin.get(path)).text()
const rowsIn = (page: string) => page.split('<tbody>')[1]?.match(/<tr /g)?.length ?? 0
const hrefIn = (page: string, words: string) =>
  new RegExp(`href="([^"]+)"[^>]*>${words}<`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''

test('filters by each part of its address and by all together', async () => {
  expect(rowsIn(await textAt('/audit?action=paused+deliveries'))).toBe(1)
  expect(rowsIn(await textAt('/audit?who=user:root'))).toBe(1)
  expect(rowsIn(await textAt('/audit?from=2026-11-19&to=2026-11-19'))).toBe(1)
  expect(rowsIn(await textAt('/audit?from=2026-11-20'))).toBe(1)
  expect(rowsIn(await textAt(`/audit?subject=${lead}&to=2026-11-18&who=user:grace`))).toBe(50)
  const own = /<option value="([\da-f-]{36})">demo@example.com/.exec(await textAt('/audit'))?.[1]
  const page = await textAt(`/audit?who=${own}`)
  expect(rowsIn(page)).toBe(1)
  expect(page).toContain('signed in')
})

test('finds an action by its label', async () => {
  expect(await textAt('/audit?action=created+an+invitation')).toContain('No entries match')
})

test('shows the times of a change in the school’s zone, as every other time', async () => {
  await admin.post('/deliveries/pause', { reason: 'a test' })
  await admin.post('/deliveries/resume', { reason: 'a test' })
  const page = await textAt('/audit?action=resumed+deliveries')
  const text = page.replaceAll(/<[^>]*>/g, '')
  expect(text).toMatch(/paused since: \w+ \d+, 2026, [\d:]+\s[AP]M → none/)
  expect(text).not.toMatch(/\dZ/)
})

test('has no entry for an affiliate that was refused', async () => {
  const postback = 'https://partner.example/?click={click}'
  await admin.post('/affiliates', { name: 'Acme', ids: 'a7', payout: '', postback, notes: '' })
  expect(await textAt('/audit?action=added+an+affiliate')).toContain('No entries match')
})

test('names the operator that an action changed, and links to all entries about them', async () => {
  await operatorOf(product, admin, 'viewer')
  const page = await textAt('/audit?action=added+an+operator')
  expect(page).toMatch(/<a href="\/audit\?subject=[\da-f-]{36}">viewer[\d.]+@example\.com<\/a>/)
})

test('shows the filters of exports and jobs, and the leads of an erased person', async () => {
  const store = await openStore(product.store)
  const hopper = { kind: 'command line', user: 'hopper' } as const
  const record = async (action: AuditEntry['action'], subject: string, outcome: string) => {
    const id = await store.audit.record(hopper, { action, subject }, now)
    await store.audit.recordOutcome(id, outcome)
  }
  await record(
    'exported leads',
    'leads with one last name (found by search), filter: status=dead',
    '3 leads',
  )
  await record('started a job', lead, 'retry of status=rejected, 2 a second')
  const ids = [1, 2, 3].map((last) => lead.replace(/.$/, String(last)))
  await record('erased a person', ids.join(' '), '3 leads')
  await store.close()
  const page = await textAt('/audit?from=2026-11-20&who=user:hopper')
  expect(page).toContain('>leads with one last name (found by search), filter: status=dead<')
  expect(page).toContain('>retry of status=rejected, 2 a second<')
  expect(page).toContain('3 leads</summary>')
  expect(await textAt('/audit?who=user:grace&to=2026-11-18')).toContain('due at once')
})

test('an unknown filter is an error, and nothing is listed', async () => {
  const reply = await admin.get('/audit?by=grace')
  expect(reply.status).toBe(400)
  expect(await reply.text()).toContain('There is no filter “by”')
})

test('lists older entries on further pages', async () => {
  const first = await textAt('/audit?who=user:grace')
  const older = await textAt(hrefIn(first, 'Older'))
  expect(rowsIn(older)).toBe(10)
  expect(hrefIn(older, 'Older')).toBe('')
})

describe('an invalid filter is an error at its field, and nothing is listed', () => {
  test.each([
    ['action=stole', 'There is no action “stole”. Choose one from the list.'],
    ['who=ada@example.com', 'Choose an operator or a user from the list.'],
    ['subject=ada@example.com', 'Enter an id'],
    ['subject=9415550100', 'Enter an id'],
    ['from=2026-13-01', '“2026-13-01” is not a date'],
    ['from=2026-11-02&to=2026-11-01', 'Choose a day on or after the first day'],
    ['before=x', 'This URL isn’t a page of the audit log'],
  ])('%s', async (query, said) => {
    const reply = await admin.get(`/audit?${query}`)
    const page = await reply.text()
    expect(reply.status).toBe(400)
    expect(page).toContain(said)
    expect(page).not.toContain('<table')
  })
})

describe('the export', () => {
  const exported = (fields: Record<string, string>) =>
    admin.post('/audit/export', { query: '', format: 'jsonl', ...fields })

  test('contains any number of entries, and is recorded itself', async () => {
    const reply = await exported({ query: 'who=user:grace' })
    expect(reply.headers.get('content-disposition')).toBe(
      'attachment; filename="audit-2026-11-20.jsonl"',
    )
    const acts = (await reply.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(acts).toHaveLength(60)
    expect(acts[0]).toMatchObject({ who: 'grace', subject: lead, outcome: 'due' })
    const all = await (await exported({})).text()
    expect(all).toContain('exported the audit')
    expect(await textAt('/audit?action=exported+the+audit')).toContain('60 entries')
  })

  test('is safe as CSV', async () => {
    const reply = await exported({ query: 'action=paused+deliveries', format: 'csv' })
    const bytes = await reply.bytes()
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const csv = new TextDecoder().decode(bytes)
    expect(csv.split('\r\n')[0]).toBe(
      'id,at,who,operator_id,via,network,action,subject,reason,outcome,target,changes',
    )
    expect(csv).toContain(`"'=HYPERLINK(""x"") \\u202e"`)
  })

  test('needs an admin, a recent sign-in and a valid filter', async () => {
    expect((await exported({ query: 'action=stole' })).status).toBe(422)
    expect((await exported({ query: 'by=grace' })).status).toBe(422)
    expect((await exported({ format: 'xls' })).status).toBe(422)
    expect((await admin.post('/audit/export', { format: 'csv' })).status).toBe(422)
    const operator = await operatorOf(product, admin, 'operator')
    expect(await (await operator.get('/audit')).text()).not.toContain('/audit/export')
    expect((await operator.post('/audit/export', { query: '', format: 'csv' })).status).toBe(403)
    now += 11 * 60 * 1000
    expect((await exported({})).headers.get('location')).toMatch(
      /^\/confirm\?for=export\+the\+audit/,
    )
    const page = await (await admin.get('/audit')).text()
    expect(page, 'the button leads to the confirmation').toMatch(
      /action="\/confirm"[^>]*>.{0,80}value="\/audit"/,
    )
  })
})
