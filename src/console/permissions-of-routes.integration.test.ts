import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listNavEntries } from '#console/shell/console-page.tsx'
import { isAllowed, type Permission, type Role, roles } from '#domain/operator/permissions.ts'
import { openStore } from '#server/store/open-store.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { operatorOf } from '#tests/console/operator-of.ts'
import { untilPasses } from '#tests/patience/until.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'

/** The permission that each route needs; `own` routes need only a session. */
const rightOf: Readonly<Record<string, Permission | 'own'>> = {
  'GET /api/changes': 'see leads',
  'POST /sign-out': 'own',
  'GET /confirm': 'own',
  'POST /confirm': 'own',
  'POST /confirm/passkey/options': 'own',
  'POST /confirm/passkey': 'own',
  'GET /account': 'own',
  'POST /account/password': 'change your sign-in',
  'POST /account/passkeys/options': 'change your sign-in',
  'POST /account/passkeys': 'change your sign-in',
  'POST /account/passkeys/remove': 'change your sign-in',
  'POST /account/sessions/end': 'own',
  'GET /': 'see the overview',
  'POST /alerts/test': 'test alerts',
  'GET /leads': 'see leads',
  'POST /leads/search': 'see leads',
  'POST /leads/export': 'export leads',
  'POST /leads/views': 'save a view',
  'POST /leads/views/remove': 'save a view',
  'GET /leads/:id': 'see leads',
  'POST /leads/:id/reveal': 'reveal a lead',
  'GET /leads/:id/reveal': 'see leads',
  'POST /leads/:id/retry': 'retry deliveries',
  'GET /leads/:id/release': 'release leads',
  'POST /leads/:id/release': 'release leads',
  'GET /leads/:id/settle': 'settle deliveries',
  'POST /leads/:id/settle': 'settle deliveries',
  'GET /leads/:id/erase': 'erase leads',
  'POST /leads/:id/erase': 'erase leads',
  'GET /quarantine': 'see leads',
  'POST /quarantine/release': 'release leads',
  'POST /quarantine/undo': 'release leads',
  'POST /quarantine/reveal': 'reveal a lead',
  'GET /caps': 'see caps',
  'POST /caps': 'change caps',
  'POST /caps/:id/remove': 'change caps',
  'GET /caps/:id/remove': 'change caps',
  'GET /jobs': 'see jobs',
  'GET /jobs/new': 'run jobs',
  'POST /jobs': 'run jobs',
  'GET /jobs/:id': 'see jobs',
  'GET /jobs/:id/leads': 'see jobs',
  'POST /jobs/:id/start': 'run jobs',
  'POST /jobs/:id/pause': 'run jobs',
  'POST /jobs/:id/resume': 'run jobs',
  'POST /jobs/:id/cancel': 'run jobs',
  'GET /deliveries': 'see deliveries',
  'GET /funnel': 'see the funnel',
  'GET /webhooks': 'see webhooks',
  'POST /webhooks': 'change webhooks',
  'GET /webhooks/:id': 'see webhooks',
  'POST /webhooks/:id': 'change webhooks',
  'POST /webhooks/:id/test': 'change webhooks',
  'POST /webhooks/:id/again': 'change webhooks',
  'POST /webhooks/:id/pause': 'change webhooks',
  'POST /webhooks/:id/resume': 'change webhooks',
  'POST /webhooks/:id/remove': 'change webhooks',
  'GET /webhooks/:id/remove': 'change webhooks',
  'GET /returns': 'see returns',
  'POST /returns': 'import returns',
  'GET /statements': 'see statements',
  'POST /statements/revenue': 'change the revenue',
  'GET /statements/revenue/remove': 'change the revenue',
  'POST /statements/revenue/remove': 'change the revenue',
  'GET /statements/:affiliate/:month': 'see statements',
  'GET /statements/:affiliate/:month/csv': 'see statements',
  'GET /statements/:affiliate/:month/close': 'close statements',
  'POST /statements/:affiliate/:month/close': 'close statements',
  'GET /spend': 'see ad spend',
  'POST /spend': 'change ad spend',
  'POST /spend/import': 'change ad spend',
  'GET /affiliates': 'see affiliates',
  'POST /affiliates': 'change affiliates',
  'GET /affiliates/new': 'change affiliates',
  'GET /affiliates/:id': 'see affiliates',
  'POST /affiliates/:id': 'change affiliates',
  'POST /affiliates/:id/payouts': 'change affiliates',
  'GET /affiliates/:id/payouts/remove': 'change affiliates',
  'POST /affiliates/:id/payouts/remove': 'change affiliates',
  'POST /affiliates/:id/remove': 'change affiliates',
  'GET /affiliates/:id/remove': 'change affiliates',
  'GET /affiliates/:id/stop': 'change affiliates',
  'POST /affiliates/:id/stop': 'change affiliates',
  'GET /affiliates/:id/start': 'change affiliates',
  'POST /affiliates/:id/start': 'change affiliates',
  'GET /do-not-contact': 'see do not contact',
  'GET /do-not-contact/stop': 'stop contact',
  'POST /do-not-contact/stop': 'stop contact',
  'POST /do-not-contact/check': 'stop contact',
  'POST /do-not-contact/told': 'stop contact',
  'POST /do-not-contact/import': 'stop contact',
  'POST /do-not-contact/allow': 'allow contact again',
  'POST /deliveries/pause': 'pause deliveries',
  'POST /deliveries/resume': 'pause deliveries',
  'POST /deliveries/try': 'pause deliveries',
  'GET /docs/:name': 'own',
  'GET /audit': 'see the audit log',
  'POST /audit/export': 'export the audit log',
  'GET /account/passkeys/remove': 'change your sign-in',
  'GET /operators': 'see operators',
  'POST /operators': 'manage operators',
  'POST /operators/:id/role': 'manage operators',
  'POST /operators/:id/disable': 'manage operators',
  'POST /operators/:id/enable': 'manage operators',
  'POST /operators/:id/invite': 'manage operators',
}

/** Addresses that forms post to, but that show no page. */
const formAddresses = Object.keys(rightOf)
  .map((route) => route.split(' ')[1] ?? '')
  .filter((path) => /^\/.+\//.test(path) && rightOf[`GET ${path}`] === undefined)

/** Valid values for the fields of every form. */
const filled = {
  action: 'retry',
  email: 'new@example.com',
  role: 'viewer',
  reason: 'to see who may',
  rate: '1',
  // These values are valid on every list.
  query: '',
  format: 'csv',
  name: 'a view',
  confirm: 'yes',
  id: randomUUIDv7(),
}

const isBeforeSignIn = (path: string) => /^\/(sign-in|healthz$|readyz$|metrics$)/.test(path)

describe('permissions', () => {
  let product: InProcessProduct
  const whoIs = new Map<Role, SignedIn>()
  beforeAll(async () => {
    // The product runs without a worker, which would deliver the leads and so change their status.
    product = await startInProcess({ ROLE: 'console' })
    const admin = await signIn(product.consoleLink)
    for (const role of roles) {
      whoIs.set(role, role === 'admin' ? admin : await operatorOf(product, admin, role))
    }
  })
  afterAll(() => product.stop())

  const as = (role: Role) => {
    const who = whoIs.get(role)
    if (who === undefined) throw new Error(role)
    return who
  }

  test('the table above lists every page and call', () => {
    const served = product.consoleRoutes
      .filter(({ method, path }) => method !== 'ALL' && !isBeforeSignIn(path))
      .filter(({ method, path }) => method !== 'GET' || !formAddresses.includes(path))
      .map(({ method, path }) => `${method} ${path}`)
    expect(Object.keys(rightOf).sort()).toEqual([...new Set(served)].sort())
  })

  test.each(roles.filter((role) => role !== 'admin'))(
    'the console refuses the role %s every action that it may not do',
    async (role) => {
      const { get, post } = as(role)
      const notRefused: string[] = []
      for (const [route, right] of Object.entries(rightOf)) {
        if (right === 'own' || isAllowed(role, right)) continue
        const [method, path = ''] = route.split(' ')
        const address = path.replace(':id', filled.id)
        const replies =
          method === 'GET'
            ? { '': get(address) }
            : { filled: post(address, filled), empty: post(address) }
        for (const [form, reply] of Object.entries(replies)) {
          const { status } = await reply
          if (status !== 403) notRefused.push(`${route} ${form}: ${status}`)
        }
      }
      expect(notRefused).toEqual([])
    },
  )

  test.each(roles)('the navigation shows the role %s its own pages only', async (role) => {
    const shown = listNavEntries(role)
    for (const [path, name] of listNavEntries('admin')) {
      const reply = await as(role).get(path)
      const isShown = shown.some(([shownPath]) => shownPath === path)
      expect(reply.status, path).toBe(isShown ? 200 : 403)
      if (isShown) expect(await reply.text()).toContain(`<h1>${name}</h1>`)
    }
  })

  test.each(roles)(
    'every form and link on the pages of the role %s leads to something that the role may do',
    async (role) => {
      const store = await openStore(product.store)
      await store.intake.accept(exampleArrival({ receivedAt: Date.now(), subId: 'partner-7' }))
      await store.close()
      await as('admin').post('/caps', { maxLeads: '5', period: 'day' })
      await as('admin').post('/webhooks', { url: 'http://127.0.0.1:9/', accepted: 'on' })
      await as('admin').post('/jobs', { action: 'retry', query: 'affiliate=partner-7' })
      const forms = new Set<string>()
      const refused: string[] = []
      const visited = new Set<string>()
      const waiting = listNavEntries(role).map(([path]): string => path)
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        const { pathname, searchParams } = new URL(path, 'http://console.example')
        if (/^\/(assets|sign-in)/.test(pathname)) continue
        // One page of each kind, and one with each filter, are enough.
        const page = pathname.replaceAll(/[\da-f-]{36}/g, '')
        const kinds = [page, ...[...searchParams.keys()].map((name) => `${page}?${name}`)]
        if (kinds.every((kind) => visited.has(kind))) continue
        for (const kind of kinds) visited.add(kind)
        const reply = await as(role).get(path)
        if (reply.status === 403) refused.push(`a link to ${path}`)
        if (reply.status !== 200) continue
        const html = await reply.text()
        for (const [, href = ''] of html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)) {
          waiting.push(href.replaceAll('&amp;', '&'))
        }
        for (const [form] of html.matchAll(/<form .*?<\/form>/gs)) {
          const method = /^<form [^>]*method="post"/.test(form) ? 'POST' : 'GET'
          for (const [, action = ''] of form.matchAll(/ (?:form)?action="([^"?]*)/gi)) {
            const route = `${method} ${action.replace(/[\da-f-]{36}/, ':id')}`
            const right = rightOf[route]
            forms.add(route)
            // A button that asks first leads to a page with the form.
            if (method === 'GET') waiting.push(action)
            if (right === undefined || (right !== 'own' && !isAllowed(role, right))) {
              refused.push(`${route} on ${path}`)
            }
          }
        }
      }
      expect(refused).toEqual([])
      expect([...forms]).toContain('POST /leads/search')
      expect(forms.has('POST /affiliates')).toBe(isAllowed(role, 'change affiliates'))
      expect(forms.has('POST /caps/:id/remove')).toBe(isAllowed(role, 'change caps'))
    },
  )

  test('opening the address of a form leads to the form’s page', async () => {
    for (const address of formAddresses) {
      const reply = await as('viewer').get(address)
      expect(reply.headers.get('location'), address).toBe(`/${address.split('/')[1]}`)
    }
  })

  test('a page offers only the buttons that the role may press', async () => {
    const store = await openStore(product.store)
    const ids = await storeLeadOfEachStatus(store)
    await store.close()
    const offered = async (role: Role, path: string) => {
      const page = await (await as(role).get(path)).text()
      const buttons = page.matchAll(
        /<button[^>]*>(Reveal|Retry|Release|Settle|Erase|Pause|Export|Act)/g,
      )
      return [...buttons].map(([, name]) => name)
    }
    await untilPasses(async () =>
      expect(await offered('admin', '/leads')).toEqual(['Act', 'Export']),
    )
    expect(await offered('operator', '/leads')).toEqual(['Act'])
    expect(await offered('operator', '/quarantine')).toEqual(['Release', 'Reveal'])
    expect(await offered('admin', '/quarantine')).toEqual(['Release', 'Reveal', 'Erase'])
    expect(await offered('operator', `/leads/${ids.dead}`)).toEqual(['Reveal', 'Retry', 'Settle'])
    expect(await offered('admin', `/leads/${ids.dead}`)).toContain('Erase')
    expect(await offered('operator', '/deliveries')).toContain('Pause')
    for (const path of ['/leads', '/quarantine', `/leads/${ids.dead}`, '/deliveries']) {
      expect(await offered('viewer', path)).toEqual([])
    }
  })
})
