import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeNotStoredAlert } from '#server/alerts/alerts.ts'
import { type SignedIn, signIn } from '#tests/console/console-visitor.ts'
import { operatorOf } from '#tests/console/operator-of.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'

let product: InProcessProduct
let admin: SignedIn
beforeAll(async () => {
  product = await startInProcess()
  admin = await signIn(product.consoleLink)
})
afterAll(() => product.stop())

const decode = (text: string) => text.replaceAll('&amp;', '&')

test('the console shows each document, and each of its links leads to a document and a heading', async () => {
  const seen = new Map<string, string>()
  const left = ['/docs/runbook.md', '/docs/measuring.md', '/docs/console.md', '/docs/storage.md']
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (seen.has(path)) continue
    const reply = await admin.get(path)
    expect(reply.status, path).toBe(200)
    const page = await reply.text()
    seen.set(path, page)
    const shown = /<main.*<\/main>/s.exec(page)?.[0] ?? ''
    expect(shown, path).not.toMatch(/<img|<!--|\]\(/)
    for (const [, href = ''] of shown.matchAll(/href="([^"]+)"/g)) {
      if (!href.startsWith('https:')) left.push(new URL(href, `http://x${path}`).pathname)
    }
  }
  expect(seen.size).toBeGreaterThan(8)
  const broken = [...seen].flatMap(([path, page]) =>
    [...page.matchAll(/<a href="((?!https:)[^"]*#[^"]+)"/g)]
      .map(([, href = '']) => new URL(decode(href), `http://x${path}`))
      .filter(({ pathname, hash }) => !seen.get(pathname)?.includes(` id="${hash.slice(1)}"`))
      .map(({ pathname, hash }) => `${path} → ${pathname}${hash}`),
  )
  expect(broken).toEqual([])
  const { section } = makeNotStoredAlert('disk full')
  expect(seen.get('/docs/runbook.md')).toContain(`>${section}</h2>`)
})

test.each(['/docs/nothing.md', '/docs/..%2fpackage.json', '/docs/deploy.md%00', '/docs/.md'])(
  '%s is no document',
  async (path) => {
    expect((await admin.get(path)).status).toBeGreaterThanOrEqual(400)
  },
)

test.each([
  ['/leads/019bc0de-0000-7000-8000-000000000001', '/leads', 'Leads'],
  ['/leads/nobody', '/leads', 'Leads'],
  ['/jobs/019bc0de-0000-7000-8000-000000000001', '/jobs', 'Jobs'],
  ['/jobs/x/leads', '/jobs', 'Jobs'],
  ['/affiliates/none', '/affiliates', 'Affiliates'],
  ['/webhooks/none', '/webhooks', 'Webhooks'],
  ['/caps/none', '/caps', 'Caps'],
  ['/operators/x/y/z', '/operators', 'Operators'],
  ['/leadsheet', '/', 'the overview'],
  ['/docs/nothing.md', '/', 'the overview'],
])('the page %s, which is missing, leads back to %s', async (path, list, name) => {
  const reply = await admin.get(path)
  expect(reply.status).toBe(404)
  expect(await reply.text()).toContain(`<a href="${list}">Back to ${name}</a>`)
})

test('an error leads no role to a list that the role may not see', async () => {
  const viewer = await operatorOf(product, admin, 'viewer')
  for (const path of ['/operators', '/caps/none']) {
    const page = await (await viewer.get(path)).text()
    expect(page, path).toContain('<a href="/">Back to the overview</a>')
  }
})
