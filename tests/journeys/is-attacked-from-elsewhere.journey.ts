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

/** Posts the form like a page whose button opens a new window, which is not embedded. */
async function postInWindow(page: Page, desk: string, { action, fields }: StolenForm) {
  const opened = page.waitForEvent('popup')
  await page.evaluate(
    ({ action, fields }) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action })
      form.target = '_blank'
      for (const [name, value] of Object.entries(fields)) {
        form.append(Object.assign(document.createElement('input'), { name, value }))
      }
      document.body.append(form)
      HTMLFormElement.prototype.submit.call(form)
    },
    { action: desk + action, fields },
  )
  const answer = await opened
  await answer.waitForLoadState()
  await answer.close()
}

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

  // The site is on the console's own host, so its pages get the browser's cookies. Elsewhere and for the further ways, a
  // few targets suffice, because the console refuses by origin before it looks for the page.
  const all = { paths, forms: unlike, byMainWays: true }
  const some = {
    paths: ['/', `/leads/${id}`],
    forms: unlike.filter(({ action }) => /^\/(sign-out|operators|leads\/.+\/reveal)$/.test(action)),
  }
  const elsewhere = await startElsewhere()
  try {
    for (const [origin, target] of [
      [`http://127.0.0.1:${elsewhere.port}/`, some],
      [`http://localhost:${elsewhere.port}/`, some],
      [`${product.url}/business`, some],
      [`${product.url}/business`, all],
    ] as const) {
      const foreign = await context.newPage()
      await foreign.goto(origin)
      const shown: string[] = []
      foreign.on('framenavigated', (frame) => shown.push(frame.url()))
      expect(await attackFrom(foreign, desk, target), origin).toEqual([])
      expect(shown, 'frames were tried').not.toEqual([])
      // A frame that may not show a page shows an error instead.
      expect(shown.filter((url) => url.startsWith(desk))).toEqual([])
      for (const form of some.forms) await postInWindow(foreign, desk, form)
      await foreign.close()
      expect(await whatWasDone(), origin).toBe(before)
    }
  } finally {
    elsewhere.stop()
  }
})
