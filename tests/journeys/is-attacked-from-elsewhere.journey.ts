import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { attackFrom, type StolenForm } from '#tests/console/attack-from.ts'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { type RunningProduct, startProcess } from '#tests/product/start-process.ts'
import { test } from './pictured-test.ts'

let product: RunningProduct
test.beforeAll(async () => {
  product = await startProcess()
})
test.afterAll(() => product.stop())

/** Serves an empty page of another origin, whose link the operator has followed. */
async function startElsewhere() {
  const server = createServer((_, reply) => {
    reply.setHeader('content-type', 'text/html').end('<title>Elsewhere</title><body>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Every form that the page posts with its values, without those that another origin cannot know. */
const formsOf = (page: Page): Promise<StolenForm[]> =>
  page.locator('form[method=post]').evaluateAll((forms) =>
    (forms as HTMLFormElement[]).map((form) => ({
      action: new URL(form.action).pathname,
      fields: Object.fromEntries(
        [...new FormData(form)].flatMap(([name, value]) =>
          name === 'token' ? [] : [[name, String(value)]],
        ),
      ),
    })),
  )

test('no other page can control or read the console, not even one on its own host', async ({
  browser,
}) => {
  const visitor = await apiVisitor(product.url)
  const reply = await visitor.post('leads', exampleLead({ email: 'ada@example.com' }), newKey())
  const { id } = await reply.json()

  // An attacker's page has no security policy, whereas the console's own would block much of the attack.
  const context = await browser.newContext({ bypassCSP: true })
  const page = await context.newPage()
  await page.goto(product.consoleLink)
  const desk = new URL(product.consoleLink).origin
  const links = page.getByRole('navigation').getByRole('link', { includeHidden: true })
  const inNav = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  expect(inNav.length).toBeGreaterThan(3)
  const paths = [...inNav, '/account', `/leads/${id}`]
  const forms: StolenForm[] = []
  for (const path of paths) {
    await page.goto(desk + path)
    forms.push(...(await formsOf(page)))
  }
  const unlike = [...new Map(forms.map((form) => [JSON.stringify(form), form])).values()]
  expect(unlike.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['/sign-out', '/operators', `/leads/${id}/reveal`]),
  )

  const whatWasDone = async () => {
    await page.goto(`${desk}/audit`)
    const table = page.getByRole('table', { name: 'Audit' })
    await expect(table, 'still signed in').toBeVisible()
    return table.innerText()
  }
  const before = await whatWasDone()

  const elsewhere = await startElsewhere()
  try {
    for (const origin of [
      `http://127.0.0.1:${elsewhere.port}/`,
      `http://localhost:${elsewhere.port}/`,
      `${product.url}/business`,
    ]) {
      const foreign = await context.newPage()
      await foreign.goto(origin)
      expect(await attackFrom(foreign, desk, { paths, forms: unlike }), origin).toEqual([])
      for (const frame of foreign.frames().slice(1)) {
        expect(await frame.title(), `embedded by ${origin}`).not.toContain('console')
      }
      await foreign.close()
      expect(await whatWasDone(), origin).toBe(before)
    }
  } finally {
    elsewhere.stop()
  }
})
