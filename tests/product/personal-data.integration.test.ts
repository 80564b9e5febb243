import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '#sandbox/start-sandbox.ts'
import { openStore, type StoreSettings } from '#server/store/open-store.ts'
import { sayVerb } from '#tests/cli/say-verb.ts'
import { wholeForm } from '#tests/product/posted-form.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { apiVisitor } from './api-visitor.ts'
import { echoes, spellings } from './echoes.ts'
import { exampleLead, newKey } from './example-lead.ts'
import { type Proxied, startRecordingProxy } from './recording-proxy.ts'
import { arrivals } from './sandbox-ledger.ts'
import { startProcess } from './start-process.ts'

const person = {
  firstName: 'Xanthippe',
  lastName: 'Quillfeather',
  phone: '(727) 555-0163',
  email: 'xq.unmistakable@example.net',
  address: '4711 Zwiebelgasse',
}
const visitorIp = '203.0.113.77'
const affiliate = 'Xanthippe-partner'

/** Personal data to search for, also within longer texts, in any case and spelling. */
const traces = [
  'xanthippe',
  'quillfeather',
  '7275550163',
  '555-0163',
  'unmistakable',
  'zwiebelgasse',
  visitorIp,
]

function tracesIn(text: string): string[] {
  const found = text.toLowerCase()
  return traces.filter((trace) =>
    spellings.some((spell) => found.includes(spell(trace).toLowerCase())),
  )
}

const everyTrace = spellings.flatMap((spell) => traces.map(spell)).join(' ')

/**
 * Answers a request that contains `Echo <n>` with the nth echo. A lead is echoed only once, so that it is delivered in
 * the end.
 */
function makeEcho() {
  const echoed = new Set<string>()
  return ({ url, body }: Proxied): string | undefined => {
    const [asked, index] = /Echo (\d+)/.exec(body) ?? []
    if (asked === undefined || echoed.has(asked)) return undefined
    if (url.startsWith('/incoming/leads')) echoed.add(asked)
    return echoes[Number(index)]?.(everyTrace)
  }
}

function expectNoTrace(text: string, where: string) {
  expect(tracesIn(text), where).toEqual([])
}

/** Searches the raw files of the store for personal data. */
async function tracesInFiles(dataDir: string): Promise<string[]> {
  const files = await Promise.all(
    (await readdir(dataDir)).map((name) => readFile(join(dataDir, name), { encoding: 'latin1' })),
  )
  return tracesIn(files.join('\n'))
}

/** Makes every lead a month older. Resolves with their ids. */
async function age(store: StoreSettings): Promise<string[]> {
  const month = 31 * 24 * 60 * 60 * 1000
  await runInStore(store, `update leads set received_at = received_at - ${month}`)
  return (await askStore(store, 'select id from leads')).map(({ id }) => String(id))
}

const addressesIn = (html: string): string =>
  [...html.matchAll(/\b(?:href|src|action|content)="([^"]*)"/g)].map(([, url]) => url).join('\n')

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'enquiry-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('no log line, error or address has personal data after a whole run', async () => {
  const sandbox = await startSandbox({ port: 0, slowMs: 10 })
  onTestFinished(sandbox.stop)
  const proxy = await startRecordingProxy(sandbox.url, makeEcho())
  onTestFinished(proxy.stop)
  const dataDir = await temporaryFolder()
  const product = await startProcess({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'trace',
    TRUSTED_PROXIES: '127.0.0.1',
    DISTRIBUTOR_URL: `${proxy.url}/incoming/leads`,
    ADDRESS_VALIDATION_URL: proxy.url,
    GEOCODING_URL: proxy.url,
    IP_LOOKUP_URL: `${sandbox.url}/json/{ip}`,
    DELIVERY_RETRY_SCHEDULE: '50ms,50ms',
    LEADS_PER_NETWORK: '0',
    LOOKUPS_PER_NETWORK: '0',
  })
  onTestFinished(product.stop)
  const visitor = await apiVisitor(product.url)
  const headers = {
    'x-forwarded-for': visitorIp,
    'user-agent': 'Xanthippe/1.0',
    'sec-gpc': '1',
  }
  const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
    visitor.post(path, body, { ...headers, ...newKey(), ...more })

  // Leads through the API: accepted, failed, refused by the distributor, and refused by the product in every way.
  const lead = (changes: Partial<typeof person> = {}) => ({
    ...exampleLead({ ...person, ...changes }),
    subId: affiliate,
  })
  const replies = [
    await visitor.get('ip-address'),
    await visitor.get('zip-lookups/99999', headers),
    await post('address-validations', { address: person.address, zip: '34236' }),
    await post('address-validations', { address: person.address, zip: '99997' }),
    await post('leads', lead()),
    await post('leads', lead({ lastName: 'Sandbox-Fail500', email: `1${person.email}` })),
    await post('leads', lead({ lastName: 'Sandbox-Invalid', email: `2${person.email}` })),
    await post('leads', lead({ lastName: 'Sandbox-Html200', email: `3${person.email}` })),
    await post('leads', lead({ phone: `${person.phone}9`, email: `${person.email}@` })),
    await post('leads', { ...lead(), lead: { ...person, zip: person.email } }),
    await post('leads', JSON.stringify(lead()).slice(0, -9)),
    await post('leads', lead(), { 'idempotency-key': person.email }),
    await post('leads', lead(), { origin: `https://${person.lastName}.example` }),
    await post(`leads/${person.email}`, lead()),
  ]
  expect(replies.map(({ status }) => status)).toEqual([
    200, 503, 200, 503, 201, 201, 201, 201, 422, 422, 400, 400, 403, 404,
  ])
  const texts = await Promise.all(replies.map((reply) => reply.text()))
  // The reply of the address validation must repeat the street.
  for (const text of texts.filter((_, index) => index !== 2)) expectNoTrace(text, 'a reply')

  // Also through the posted form, up to the thank-you screen.
  const email = `4${person.email}`
  const form = wholeForm({
    ...person,
    email,
    checkedBy: 'hand',
    checkedFor: `${person.address}|34236`,
  })
  const posted = async (body: Record<string, string>) =>
    fetch(`${product.url}/business`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...headers, origin: product.url },
      body: new URLSearchParams(body),
    })
  const refused = await posted({ ...form, confirmation: '' })
  expect(refused.status).toBe(422)
  expectNoTrace(addressesIn(await refused.text()), 'an address in a page')
  const accepted = await posted(form)
  expect(accepted.status).toBe(303)
  const location = accepted.headers.get('location') ?? ''
  expectNoTrace(location, 'the redirect')
  expectNoTrace(await (await fetch(product.url + location)).text(), 'the thanks')

  for (const [sent, count] of [
    [person.email, 1],
    [`1${person.email}`, 3],
    [`2${person.email}`, 1],
    [`3${person.email}`, 3],
    [email, 1],
  ] as const) {
    await arrivals(sandbox.url, sent, count)
  }

  // A third party may answer with the data that it got in any form.
  await Promise.all(
    echoes.map(async (_, index) => {
      const address = `Echo ${index} ${person.address}`
      expectNoTrace(
        await (await post('address-validations', { address, zip: '34236' })).text(),
        'the answer to an echo',
      )
    }),
  )
  const echoedIds: string[] = []
  for (const index of echoes.keys()) {
    const sent = lead({
      lastName: `Echo ${index} ${person.lastName}`,
      email: `e${index}@x.example`,
    })
    const { id } = await (await post('leads', sent)).json()
    echoedIds.push(id)
    const end = new RegExp(`"${id}","name":"(delivered|rejected|refused)"`)
    await expect.poll(product.log).toMatch(end)
  }
  expect(proxy.urls.some((url) => url.startsWith('/v1:validateAddress'))).toBe(true)
  expect(proxy.urls.some((url) => url.startsWith('/maps/api/geocode'))).toBe(true)
  expectNoTrace(proxy.urls.join('\n'), 'an address that was called')
  expectNoTrace(await (await fetch(`${product.url}/metrics`)).text(), 'metrics')

  await product.stop()
  const log = product.log()
  for (const words of ['lead accepted', 'delivery attempted', 'lookup not answered', 'stopped']) {
    expect(log).toContain(words)
  }
  for (const line of log.trim().split('\n')) expect(() => JSON.parse(line), line).not.toThrow()
  expectNoTrace(log, 'the log')

  // A month later, retention deletes expired data, except the proof of consent.
  expect(await tracesInFiles(dataDir)).toEqual(traces)
  const ids = await age({ dataDir })
  const operate = (...args: string[]) => sayVerb({ dataDir }, args)
  const store = await openStore({ dataDir })
  onTestFinished(store.close)
  expectNoTrace(JSON.stringify(await store.breaker.read()), 'why deliveries pause')
  const [quoted = '', refusedId = ''] = [echoedIds[0], echoedIds.at(-1)]
  const found = await store.leadReader.find(quoted, Date.now())
  expect(tracesIn(found?.delivery?.attempts[0]?.said ?? '')).toEqual(traces)
  // The lead is still to be delivered, so retention would skip it.
  await store.erasure.erase({ leadId: refusedId }, Date.now())
  expectNoTrace((await operate('retain', '--days', '30', '--dry-run')).stdout, 'the dry run')
  const later = await startProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'trace', RETENTION_DAYS: '30' })
  onTestFinished(later.stop)
  await expect
    .poll(later.log)
    .toMatch(/"leads":15,"consents":0,"bytes":"wiped","msg":"retention erased/)
  await later.stop()
  expectNoTrace(later.log(), 'the log of the retention')
  const proof = ['xanthippe', visitorIp]
  expect(await tracesInFiles(dataDir)).toEqual(proof)

  // On a person's request, this lead is emptied, too.
  expectNoTrace((await operate('erase', '--id', quoted)).stdout, 'the erasure')
  expectNoTrace((await operate('show', quoted, '--json')).stdout, 'an erased lead')
  for (const leadId of ids) await store.erasure.erase({ leadId }, Date.now())
  expectNoTrace((await operate('export')).stdout, 'the export')
  expect(await tracesInFiles(dataDir)).toEqual([])
})
