import { expect, type Page } from '@playwright/test'
import { type RunningProxy, startCaddy } from '#tests/deploy/start-proxy.ts'
import { arrivals } from '#tests/product/sandbox-ledger.ts'
import { ada } from './ada.ts'
import { expectThanks, fillAll, send } from './fill-steps.ts'
import { test, untilAlive } from './visit.ts'

let caddy: RunningProxy | undefined
test.afterEach(() => caddy?.stop())
test.use({ ignoreHTTPSErrors: true })

/** Fills in the whole form through the proxy, and checks the origin in the sent lead. */
async function enquire(page: Page, email: string, sandboxUrl: string, origin: string) {
  await fillAll(page, { ...ada, email })
  await send(page)
  await expectThanks(page)
  const [arrived] = await arrivals(sandboxUrl, email)
  expect(JSON.stringify(arrived?.body)).toContain(`"signup_url":"${origin}/"`)
}

test('behind a proxy that ends TLS and without SITE_ORIGIN, visitors can enquire with and without JavaScript', async ({
  page,
  browser,
  product,
  email,
}) => {
  const { port } = new URL(product.url)
  caddy = await startCaddy({ upstreams: [Number(port)], endsTls: true })
  const { origin } = caddy

  await page.goto(`${origin}/business`)
  await untilAlive(page)
  const cookies = await page.context().cookies()
  expect(cookies.map(({ name }) => name)).toContain('__Host-XSRF-TOKEN')
  await enquire(page, email, product.sandboxUrl, origin)

  const plain = await browser.newPage({ ignoreHTTPSErrors: true, javaScriptEnabled: false })
  await plain.goto(`${origin}/business`)
  await enquire(plain, `plain.${email}`, product.sandboxUrl, origin)
  await plain.close()
})
