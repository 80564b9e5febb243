import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, expect } from '@playwright/test'
import type { LeadStatus } from '#domain/lead/lead-status.ts'
import { openStore } from '#server/store/open-store.ts'
import { look } from '#tests/accessibility/look.ts'
import { signIn } from '#tests/console/console-visitor.ts'
import { type RunningProduct, startProcess } from '#tests/product/start-process.ts'
import { exampleVisit } from '#tests/store/example-visit.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { test } from './pictured-test.ts'

// One product for all pages: they only read it.
test.describe.configure({ mode: 'default' })

/** Paths of what the console shows, filled in by {@link fillStore} and {@link fillConsole}. */
interface Made {
  readonly leads: Record<LeadStatus, string>
  readonly affiliate: string
  readonly webhook: string
  readonly job: string
  readonly invitation: string
}

let product: RunningProduct
let dataDir: string
let made: Made
let cookies: Awaited<ReturnType<BrowserContext['cookies']>>

test.beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'every-page-'))
  const leads = await fillStore()
  product = await startProcess({ DATA_DIR: dataDir, DELIVERY_RETRY_SCHEDULE: '1h' })
  made = { leads, ...(await fillConsole(leads)) }
})
test.afterAll(async () => {
  await product.stop()
  await rm(dataDir, { recursive: true })
})

const visit = exampleVisit('a visit', {
  campaign: 'spring',
  program: 8,
  progress: {
    shown: [1, 2],
    visibleMs: [20_000, 40_000],
    field: 'zip',
    refused: ['zip not-found'],
    vitals: { lcp: 1200, inp: 90, cls: 20 },
  },
})

async function fillStore(): Promise<Record<LeadStatus, string>> {
  // The product's zone: in UTC, visits of the evening would count on a day that the page doesn't show yet.
  const store = await openStore({ dataDir, zone: 'America/New_York' })
  await store.migrate()
  const leads = await storeLeadOfEachStatus(store)
  await store.visits.save([visit], Date.now() - 2 * 3_600_000)
  while ((await store.visits.countEnded(Date.now())) > 0);
  await store.close()
  return leads
}

/** A browser's cookie has more than a reply sets. */
const session = {
  domain: '127.0.0.1',
  path: '/',
  expires: -1,
  httpOnly: true,
  secure: false,
  sameSite: 'Lax' as const,
}

async function fillConsole({ delivered }: Record<LeadStatus, string>) {
  const admin = await signIn(product.consoleLink)
  const [name = '', value = ''] = admin.cookie.split('=')
  cookies = [{ ...session, name, value }]
  const add = async (path: string, fields: Record<string, string>, link: RegExp) => {
    const reply = await admin.post(path, fields)
    const page = reply.status === 303 ? await admin.get(path) : reply
    return link.exec(reply.headers.get('location') ?? (await page.text()))?.[0] ?? ''
  }
  await admin.post('/caps', {
    program: '',
    affiliate: '',
    state: 'TX',
    maxLeads: '100',
    period: 'day',
    opensAt: '',
    closesAt: '',
    blockedStates: '',
  })
  const returned = `reference,date\n${delivered},2026-01-20`
  await admin.post('/returns', {
    'column-lead': 'reference',
    'column-date': 'date',
    'column-reason': '',
    pasted: returned,
  })
  const webhook = { url: `${product.sandboxUrl}/crm`, rejected: 'on' }
  const invited = { email: 'ada@example.edu', role: 'viewer' }
  const affiliate = { name: 'Acme', ids: 'a7', payout: '', postback: '', notes: '' }
  return {
    affiliate: await add('/affiliates', affiliate, /\/affiliates\/[\w-]{8,}/),
    webhook: await add('/webhooks', webhook, /\/webhooks\/[\w-]{8,}/),
    job: await add('/jobs', { query: 'status=rejected', action: 'retry' }, /\/jobs\/[\w-]{8,}/),
    invitation: await add('/operators', invited, /http[^"]*\/invitations?\/[^"&]+/),
  }
}

const title = (name: string) =>
  `on ${name}, no engine finds an error, everything fits, and nothing covers anything else`

const pages: readonly [page: string, path: string | ((made: Made) => string), heading: string][] = [
  ['the overview', '/', 'Overview'],
  ['leads', '/leads', 'Leads'],
  ['leads, of a filter', '/leads?status=dead&status=rejected&state=FL', 'Leads'],
  ['a lead', ({ leads }) => `/leads/${leads.dead}`, 'Z. O.'],
  ['the question before settling', ({ leads }) => `/leads/${leads.dead}/settle`, 'Settle'],
  ['the question before erasing', ({ leads }) => `/leads/${leads.delivered}/erase`, 'Erase'],
  ['a lead that does not exist', '/leads/nobody', 'No such lead'],
  ['deliveries', '/deliveries', 'Deliveries'],
  ['the quarantine', '/quarantine', 'Quarantine'],
  ['an action on many leads', '/jobs/new?status=dead', ''],
  ['jobs', '/jobs', 'Jobs'],
  ['a planned job', ({ job }) => job, ''],
  ['the leads of a job', ({ job }) => `${job}/leads`, ''],
  ['the funnel', '/funnel', 'Funnel'],
  ['affiliates', '/affiliates', 'Affiliates'],
  ['a new affiliate', '/affiliates/new', 'Add an affiliate'],
  ['the question before a stop', ({ affiliate }) => `${affiliate}/stop`, 'Stop this affiliate'],
  ['an affiliate', ({ affiliate }) => affiliate, 'Affiliate'],
  ['statements', '/statements', 'Statements'],
  [
    'a statement',
    ({ affiliate }) => `${affiliate.replace('affiliates', 'statements')}/2026-01`,
    'Statement',
  ],
  [
    'the question before closing',
    ({ affiliate }) => `${affiliate.replace('affiliates', 'statements')}/2026-01/close`,
    'Close this statement',
  ],
  ['ad spend', '/spend', 'Ad spend'],
  ['people not to contact', '/do-not-contact', 'Do not contact'],
  [
    'the question before contact stops',
    ({ leads }) => `/do-not-contact/stop?lead=${leads.pending}`,
    'Stop',
  ],
  ['caps', '/caps', 'Caps'],
  ['returns', '/returns', 'Returns'],
  ['webhooks', '/webhooks', 'Webhooks'],
  ['a webhook', ({ webhook }) => webhook, 'Webhook'],
  ['the audit log', '/audit', 'Audit'],
  ['operators', '/operators', 'Operators'],
  ['the account', '/account', 'Your account'],
  ['the question who it is', '/confirm', 'Confirm it’s you'],
  ['a document', '/docs/storage.md', 'Storage'],
]

for (const [name, path, heading] of pages) {
  test(title(name), async ({ lookedPage: page }) => {
    await page.context().addCookies(cookies)
    const { origin } = new URL(product.consoleLink)
    await page.goto(origin + (typeof path === 'string' ? path : path(made)))
    await expect(page.getByRole('heading', { level: 1 })).toContainText(heading)
    await look(page, name)
  })
}

for (const [name, path] of [
  ['the sign-in page', () => '/sign-in'],
  ['an invitation', ({ invitation }: Made) => invitation],
] as const) {
  test(title(name), async ({ lookedPage: page }) => {
    await page.goto(new URL(path(made), product.consoleLink).href)
    await look(page, name)
  })
}
