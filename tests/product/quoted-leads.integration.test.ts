import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '#server/store/open-store.ts'
import { signIn } from '#tests/console/console-visitor.ts'
import { operatorOf } from '#tests/console/operator-of.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { apiVisitor } from './api-visitor.ts'
import { exampleLead, newKey } from './example-lead.ts'
import { startInProcess } from './start-in-process.ts'

const person = {
  firstName: 'Ji',
  lastName: 'Quíllfëather',
  phone: '(727) 555-0163',
  address: '4711 Zwiebelgasse',
  city: 'Bärn',
}
/** Values that the mask hides completely, or of which it shows too little to recognize them. */
const personalData = [
  'Ji',
  'Quíllfëather',
  'unmistakable',
  '7275550163',
  '4711 Zwiebelgasse',
  'Bärn',
]

const bytes = (value: string) => Buffer.from(value).toString('hex')
const misread = (value: string) => Buffer.from(value).toString('latin1')
const percents = (value: string) => bytes(value).replace(/../g, '%$&')
const entities = (value: string) => value.replace(/[^\w ]/g, (sign) => `&#${sign.codePointAt(0)};`)
const units = (value: string) =>
  value.replace(/[^\w ]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
const base64 = (value: string) => Buffer.from(`the lead is ${value}\n`).toString('base64')

const spellings: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => value.toUpperCase().normalize('NFD'),
  percents,
  (value) => encodeURIComponent(encodeURIComponent(value)),
  entities,
  (value) => entities(value).replaceAll('&', '&amp;'),
  units,
  (value) => `\\n${units(value)}\\t`,
  (value) => percents(value).replaceAll('%', '='),
  (value) => percents(value).replaceAll('%', '\\x'),
  misread,
  (value) => value.replace(/[^\x20-\x7e]/g, '?'),
  bytes,
  base64,
  (value) => base64(value).replace(/=+$/, ''),
  (value) => `lead/${base64(value)}`,
  (value) => base64(base64(value)),
  (value) => [...value].join('\u200b'),
  (value) => `<b>${value}</b>`,
  (value) => `x_${value}-y`,
]

/** Refuses the lead of the nth person in the nth spelling, for even n with an error that is retried. */
async function startQuotingDistributor(): Promise<string> {
  const server = createServer(async (asked, reply) => {
    const index = Number(/n(\d+)\.unmistakable/.exec(await text(asked))?.[1])
    const quoted = personalData.map((value) => spellings[index]?.(value)).join(' ; ')
    if (index % 2 === 0) return reply.writeHead(500).end(`no: ${quoted}`)
    reply.end(JSON.stringify({ status: 'failure', reason: { base: [`no: ${quoted}`] } }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const groupedLeads = 'select count(*) as grouped from lead_index where error_group is not null'

const decodedHtml = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => {
    return { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }[name] ?? ''
  })

function tracesIn(shown: string): string[] {
  const found = decodedHtml(shown)
  return spellings.flatMap((spell, index) =>
    personalData
      .map((value) => spell(value))
      .filter((value) => value.length > 3 && found.includes(value))
      .map((value) => `${index}: ${value}`),
  )
}

test('a distributor that quotes leads in odd encodings reveals nothing to viewers, the log or the metrics', async () => {
  const product = await startInProcess({
    DISTRIBUTOR_URL: await startQuotingDistributor(),
    DELIVERY_RETRY_SCHEDULE: '1h',
    LEADS_PER_NETWORK: '0',
  })
  onTestFinished(product.stop)
  const admin = await signIn(product.consoleLink)
  const viewer = await operatorOf(product, admin, 'viewer')
  const visitor = await apiVisitor(product.url)
  const ids: string[] = []
  for (const index of spellings.keys()) {
    const email = `n${index}.unmistakable@example.net`
    const reply = await visitor.post('leads', exampleLead({ ...person, email }), newKey())
    ids.push((await reply.json()).id)
  }
  const count = async (table: string) =>
    (await askStore(product.store, `select * from ${table}`)).length
  await expect.poll(() => count('attempts')).toBe(spellings.length)
  await expect
    .poll(async () => Object.values(await askStore(product.store, groupedLeads)))
    .toEqual([{ grouped: spellings.length }])

  const lists = ['/', '/leads', '/deliveries', '/quarantine', '/jobs', '/metrics']
  for (const path of [...lists, ...ids.map((id) => `/leads/${id}`)]) {
    const reply = await viewer.get(path)
    expect(reply.status).toBe(200)
    expect(tracesIn(await reply.text()), path).toEqual([])
  }
  for (const path of ['/leads/export', `/leads/${ids[0]}/reveal`]) {
    const reply = await viewer.post(path, { format: 'csv' })
    expect(reply.status).toBe(403)
    expect(tracesIn(await reply.text()), path).toEqual([])
  }
  expect(tracesIn(await (await viewer.get('/api/changes')).text())).toEqual([])
  expect(tracesIn(await (await fetch(`${product.url}/metrics`)).text())).toEqual([])
  expect(tracesIn(product.logLines.join('\n'))).toEqual([])
  const store = await openStore(product.store)
  for (const leadId of ids) await store.erasure.erase({ leadId }, Date.now())
  await store.close()
  const groups = await askStore(product.store, 'select * from error_groups')
  expect(tracesIn(JSON.stringify(groups))).toEqual([])
})
