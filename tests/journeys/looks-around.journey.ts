import { expect } from '@playwright/test'
import { formLinkTexts } from '#content/messages.ts'
import { areaPath, areas } from '#domain/area.ts'
import { settingDeclarations } from '#server/config/setting-declarations.ts'
import { sampleTexts } from '../content/sample-texts.ts'
import { expectStep, field } from './fill-steps.ts'
import { PlainBrowser } from './plain-browser.ts'
import { test, visit } from './visit.ts'

// With animations, as for most visitors, pages fade into each other.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

for (const [path, area] of [
  ['/Business', 'business'],
  ['/HEALTHCARE', 'healthcare'],
  ['/no-such-area', 'general'],
] as const) {
  test(`${path} is the ${area} page, too`, async ({ product }) => {
    const plain = new PlainBrowser(product.url)
    await plain.goto(path)
    const { title, headline } = sampleTexts().areas[area]
    expect(plain.text).toContain(title)
    expect(plain.text).toContain(headline)
    plain.expectStep(1)
  })
}

for (const area of areas) {
  const path = areaPath(area)
  test(`${path} is the ${area} page`, async ({ page }) => {
    await page.goto(path)
    const words = sampleTexts().areas[area]
    await expect(page).toHaveTitle(
      new RegExp(`${words.title} \\| ${settingDeclarations.SCHOOL_NAME.inDemo}$`),
    )
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.headline)
    await expect(page.getByText(words.title, { exact: true })).toBeVisible()
    const picture = page.getByRole('img', { name: words.picture })
    await expect(picture).toBeVisible()
    for (const { heading } of words.reasons) {
      await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    }
    await expectStep(page, 1)
    const faces = () =>
      page.evaluate(() =>
        [...document.fonts]
          .filter(({ family }) => family === 'Display')
          .map(({ status }) => status),
      )
    await expect.poll(faces, 'the headings’ face').toEqual(['loaded'])

    // The form begins high enough to be noticed at the first glance, on a phone as well.
    for (const [width, height, lowest] of [
      [360, 640, 380],
      [390, 664, 380],
      [1280, 800, 240],
    ] as const) {
      await page.setViewportSize({ width, height })
      const { y = height } = (await field(page, 'First name').boundingBox()) ?? {}
      expect.soft(y, `the first field at ${width} px`).toBeLessThanOrEqual(lowest)
      await expect(picture).toBeInViewport()
    }

    // The scene reaches from edge to edge and ends below the words.
    for (const width of [320, 390, 768, 1024, 1280, 1600, 2400]) {
      await page.setViewportSize({ width, height: 800 })
      const scene = await picture.boundingBox()
      const headline = await page.getByRole('heading', { level: 1 }).boundingBox()
      expect(scene, `the scene at ${width} px`).toMatchObject({ x: 0, width })
      expect((scene?.y ?? 0) + (scene?.height ?? 0)).toBeGreaterThan(
        (headline?.y ?? 0) + (headline?.height ?? 0) + 80,
      )
    }
  })
}

test('the footer links to the legal pages, which have no script, and to the unsubscribe form', async ({
  page,
  product,
}) => {
  const footer = page.getByRole('contentinfo')
  for (const { link, path } of [
    { link: 'Privacy Policy', path: '/information/privacy-policy' },
    { link: 'Privacy Rights Request', path: '/information/privacy-rights-request' },
    { link: 'Terms & Conditions', path: '/information/terms-conditions' },
  ]) {
    await visit(page)
    const unsubscribe = footer.getByRole('link', { name: /^Unsubscribe/ })
    await expect(unsubscribe).toHaveAttribute('href', settingDeclarations.UNSUBSCRIBE_URL.inDemo)
    await footer.getByRole('link', { name: link }).click()
    await expect(page).toHaveURL(`${product.url}${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(link)
    const here = footer.getByText(link)
    await expect(here).toHaveAttribute('aria-current', 'page')
    expect(await here.evaluate((element) => element.closest('a'))).toBeNull()
    await page.waitForLoadState('load')
    const scripts = await page.evaluate(() =>
      performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')),
    )
    expect(scripts, path).toEqual([])
    await expect(page.locator('script')).toHaveCount(0)
  }
  await expect(page.getByText('Last updated 2/21/2021')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: formLinkTexts.form }).first().click()
  await expect(page).toHaveURL(`${product.url}/#request`)
  await expectStep(page, 1)
})

test('on paper, the address of the page stands for the empty form', async ({ page, product }) => {
  await visit(page, '/business')
  const address = page.getByText(`Request information at ${product.url}/business`)
  await expect(address).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(address).toBeVisible()
  await expect(field(page, 'First name')).toBeHidden()
})

test('the page for a missing address links to the home page and to every area', async ({
  page,
  product,
}) => {
  const reply = await page.goto('/a/b')
  expect(reply?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We could not find that page')
  for (const area of areas.filter((area) => area !== 'general')) {
    const link = page.getByRole('main').getByRole('link', { name: sampleTexts().areas[area].name })
    await expect(link).toHaveAttribute('href', areaPath(area))
  }
  await page.getByRole('main').getByRole('link', { name: 'home page' }).click()
  await expect(page).toHaveURL(`${product.url}/`)
  await expectStep(page, 1)
})

test('a link to the current page works only in a new tab', async ({ page }) => {
  await visit(page)
  await field(page, 'First name').fill('Ada')
  const loads: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads.push(request.url())
  })
  // The navigation marks the current page; this link is in a text instead.
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: '/', textContent: 'Here' })
    document.querySelector('main')?.prepend(link)
  })
  const link = page.getByRole('link', { name: 'Here' })
  await link.click()
  await page.getByRole('link', { name: 'Skip to main content' }).press('Enter')
  await expect(page).toHaveURL(/#main$/)
  await link.click()
  await expect(field(page, 'First name')).toHaveValue('Ada')
  expect(loads).toEqual([])

  // The browser opens new tabs itself, and a tab in the background may load at any time.
  await page.evaluate(() => {
    for (const type of ['click', 'auxclick']) {
      window.addEventListener(type, (event) => {
        document.body.dataset.left = String(!event.defaultPrevented)
        event.preventDefault()
      })
    }
  })
  for (const how of [{ modifiers: ['ControlOrMeta' as const] }, { button: 'middle' as const }]) {
    await link.click(how)
    await expect(page.locator('body')).toHaveAttribute('data-left', 'true')
    await page.evaluate(() => document.body.removeAttribute('data-left'))
  }
})
