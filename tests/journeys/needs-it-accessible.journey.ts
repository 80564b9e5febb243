import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { ada } from './ada.ts'
import {
  expectStep,
  expectThanks,
  field,
  fillAboutYou,
  fillAddress,
  fillAll,
  fillEducation,
  fillProgram,
  fillToLastStep,
  next,
  send,
} from './fill-steps.ts'
import { toast } from './toast.ts'
import { test, visit } from './visit.ts'

const otherPages = [
  '/information/privacy-policy',
  '/information/terms-conditions',
  '/information/privacy-rights-request',
  '/a/b',
]

const areas = ['/', '/business', '/education', '/healthcare', '/technology']

async function expectNoViolations(page: Page) {
  // Legacy mode looks at the page itself; the other opens a second page for frames, and there are none.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)
  expect(found).toEqual([])
}

const expectNoSidewaysScroll = async (page: Page) =>
  expect(
    await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ),
  ).toBeLessThanOrEqual(0)

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} scheme`, () => {
    test.use({ colorScheme })

    test('axe finds nothing on any step', async ({ page, email }) => {
      await visit(page, '/business')
      await page.getByRole('button', { name: 'Why we ask' }).first().click()
      await expectNoViolations(page)
      await fillAboutYou(page, { ...ada, email })
      await next(page)
      await expectStep(page, 2)
      await expectNoViolations(page)
      await fillAddress(page, ada)
      await next(page)
      await expectStep(page, 3)
      await expectNoViolations(page)
      await fillEducation(page, ada)
      await next(page)
      await expectStep(page, 4)
      await expectNoViolations(page)
      await fillProgram(page, ada)
      await send(page)
      await expectThanks(page)
      await expectNoViolations(page)
    })

    test('axe finds nothing where something is wrong', async ({ page, email }) => {
      await visit(page, '/healthcare')
      await next(page)
      await expect(field(page, 'Email')).toHaveAttribute('aria-invalid', 'true')
      await expectNoViolations(page)
      await fillAboutYou(page, { ...ada, email })
      await next(page)
      await expectStep(page, 2)
      await fillAddress(page, { ...ada, zip: '00000' })
      await next(page)
      await expect(toast(page)).toBeVisible()
      await expectNoViolations(page)
      await fillAddress(page, { ...ada, zip: '99999' })
      await next(page)
      await expect(field(page, 'City')).toBeVisible()
      await next(page)
      await expect(field(page, 'City')).toHaveAttribute('aria-invalid', 'true')
      await expectNoViolations(page)
      await fillAddress(page, ada)
      await next(page)
      await expectStep(page, 3)
      await next(page)
      await expect(field(page, 'Graduation year')).toHaveAttribute('aria-invalid', 'true')
      await expectNoViolations(page)
      await fillEducation(page, ada)
      await next(page)
      await expectStep(page, 4)
      await send(page)
      await expect(page.getByRole('checkbox')).toHaveAttribute('aria-invalid', 'true')
      await expectNoViolations(page)

      await fillProgram(page, { ...ada, program: 'B.S. Nursing (RN to BSN)' })
      await page.route('**/api/leads', (route) => route.abort())
      await send(page)
      await expect(toast(page)).toBeVisible()
      await expectNoViolations(page)
    })

    test('axe finds nothing on any other page', async ({ page }) => {
      for (const path of [...otherPages, ...areas]) {
        await page.goto(path)
        await expectNoViolations(page)
      }
    })
  })
}

test.describe('on a screen 320 pixels wide', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('no step scrolls sideways', async ({ page, email }) => {
    await visit(page, '/education')
    await next(page)
    await expect(field(page, 'Email')).toHaveAttribute('aria-invalid', 'true')
    await expectNoSidewaysScroll(page)
    await fillAboutYou(page, { ...ada, email })
    await next(page)
    await expectStep(page, 2)
    await fillAddress(page, { ...ada, zip: '99999' })
    await next(page)
    await expect(toast(page)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await fillAddress(page, ada)
    await next(page)
    await expectStep(page, 3)
    await expectNoSidewaysScroll(page)
    await fillEducation(page, ada)
    await next(page)
    await expectStep(page, 4)
    await fillProgram(page, { ...ada, program: 'M.A. Science Ed (Secondary Earth Science)' })
    await expectNoSidewaysScroll(page)
    await send(page)
    await expectThanks(page)
    await expectNoSidewaysScroll(page)
  })

  test('no page scrolls sideways', async ({ page }) => {
    for (const path of [...otherPages, ...areas]) {
      await page.goto(path)
      await expectNoSidewaysScroll(page)
    }
  })
})

test.describe('magnified four times', () => {
  test.use({ viewport: { width: 320, height: 200 } })

  test('a toast does not cover what has the focus', async ({ page, email }) => {
    await visit(page, '/technology')
    await fillAboutYou(page, { ...ada, email })
    await next(page)
    await expectStep(page, 2)
    await fillAddress(page, { ...ada, zip: '00000' })
    await next(page)
    const focused = page.getByRole('group', { name: 'Unable to validate address' })
    await expect(focused).toBeFocused()
    await expect(focused).toBeInViewport({ ratio: 0.9 })
    const [over, summary] = [await toast(page).boundingBox(), await focused.boundingBox()]
    if (over === null || summary === null) throw new Error('one of the two is not shown')
    expect(over.y).toBeGreaterThanOrEqual(summary.y + summary.height)
  })
})

test('what needs the visitor is read out where the focus goes', async ({ page }) => {
  await visit(page, '/healthcare')
  await next(page)
  const summary = page.getByRole('group', { name: 'There is a problem' })
  await expect(summary).toBeFocused()
  await expect(summary).toHaveAccessibleDescription(/Enter your first name.*email address/)
})

test('no choice is called wrong before the visitor has made it', async ({ page, email }) => {
  await visit(page, '/healthcare')
  await fillToLastStep(page, { ...ada, email })
  // A browser's accessibility tree calls a required choice wrong by itself unless the page says that it is not.
  for (const choice of [
    field(page, 'Program'),
    field(page, 'Start date'),
    page.getByRole('checkbox'),
  ]) {
    await expect(choice).toHaveAttribute('aria-invalid', 'false')
  }
})

test('the focus follows the steps', async ({ page, email }) => {
  await visit(page, '/business')
  await fillAboutYou(page, { ...ada, email })
  await next(page)
  await expect(page.getByRole('heading', { name: 'Step 2 of 4' })).toBeFocused()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('heading', { name: 'Step 1 of 4' })).toBeFocused()
  await next(page)
  await expect(page.getByRole('heading', { name: 'Step 2 of 4' })).toBeFocused()
})

test('the focus follows to the thank-you screen', async ({ page, email }) => {
  await visit(page, '/business')
  await fillAll(page, { ...ada, email })
  await send(page)
  await expect(page.getByRole('heading', { name: 'Information Received' })).toBeFocused()
})
