import { resolve } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { areaPath, parseArea, programTypes } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { readCatalogue } from '#server/content/read-catalogue.ts'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import { expectError } from './expect-error.ts'
import {
  back,
  expectStep,
  expectThanks,
  field,
  fillProgram,
  fillToStep,
  fillYourEducation,
  goTo,
  next,
  send,
} from './fill-steps.ts'
import { listenIn } from './listen-in.ts'
import { PlainBrowser } from './plain-browser.ts'
import { test, untilAlive, visit } from './visit.ts'

const catalogue = readCatalogue(resolve(import.meta.dirname, '../../catalogue/programs.csv'))
const programs = catalogue.ok ? catalogue.programs : []

/** The specification's "Program list by education level". */
const openTo = {
  'Some college': ['Certificate', 'Bachelors'],
  'Associate degree': ['Certificate', 'Bachelors'],
  'Bachelor’s degree': ['Certificate', 'Bachelors', 'Masters'],
  'Master’s degree': ['Masters'],
}

const featuredGroup = 'optgroup[label="Featured programs"]'

const names = (chosen: readonly Program[]) =>
  chosen.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b))

/** The texts of the program list, without its first option. */
const shown = async (page: Page, within = '') =>
  (await field(page, 'Program').locator(`${within} option`).allTextContents()).filter(
    (text) => text !== 'Choose a program',
  )

async function withLevel(page: Page, educationLevel: string) {
  await goTo(page, 2)
  await expectStep(page, 3)
  await fillYourEducation(page, { ...ada, educationLevel })
  await next(page)
  await expectStep(page, 4)
}

for (const type of programTypes) {
  // Each area has a page of its own.
  const path = areaPath(parseArea(type))
  test(`${path} offers its own programs, the featured ones first`, async ({ page }) => {
    const mine = programs.filter(({ types }) => types.includes(type))
    expect(mine.length).toBeGreaterThan(5)
    await visit(page, path)
    for (const [level, degrees] of Object.entries(openTo)) {
      await withLevel(page, level)
      const open = mine.filter(({ degreeType }) => degrees.includes(degreeType))
      const featured = names(open.filter(({ active }) => active))
      const list = await shown(page)
      expect(list.toSorted(), level).toEqual(names(open).toSorted())
      expect(list.slice(0, featured.length), level).toEqual(featured)
      expect(await shown(page, featuredGroup), level).toEqual(featured)
    }
  })
}

test('the general page offers the featured programs of every area', async ({ page }) => {
  await visit(page)
  for (const [level, degrees] of Object.entries(openTo)) {
    await withLevel(page, level)
    const open = programs.filter(({ active, degreeType }) => active && degrees.includes(degreeType))
    expect((await shown(page)).toSorted(), level).toEqual(names(open).toSorted())
    await expect(page.locator(featuredGroup)).toHaveCount(0)
  }
})

test('a program that the changed education level does not offer must be chosen again', async ({
  page,
  email,
}) => {
  const sent = listenIn(page, '/api/leads')
  const accountant = { ...ada, email, educationLevel: 'Associate degree' }
  await comeBackTo(page, 4, '/business', accountant)
  await fillProgram(page, { ...accountant, program: 'B.S. Accounting' })
  await back(page)
  await expectStep(page, 3)
  await fillYourEducation(page, { ...ada, educationLevel: 'Master’s degree' })
  await next(page)
  await page.getByRole('button', { name: 'Choose another program' }).click()
  await expectStep(page, 4)
  await expect(field(page, 'Program')).toHaveValue('')
  await expect(field(page, 'Start date')).toHaveValue('immediately')
  await send(page)
  await expectError(field(page, 'Program'), 'Choose a program.')
  expect(sent).toHaveLength(0)
})

test('a chosen program that is still offered stays chosen', async ({ page, email }) => {
  await comeBackTo(page, 4, '/business', { ...ada, email, educationLevel: 'Bachelor’s degree' })
  await fillProgram(page, { ...ada, program: 'M.B.A.' })
  await back(page)
  await expectStep(page, 3)
  await fillYourEducation(page, { ...ada, educationLevel: 'Master’s degree' })
  await next(page)
  await expectStep(page, 4)
  await expect(field(page, 'Program')).toHaveValue('8')
})

test('the server refuses a posted program that the education level does not allow', async ({
  product,
  email,
}) => {
  const plain = new PlainBrowser(product.url)
  const accountant = { ...ada, email, program: 'B.S. Accounting' }
  await plain.goto('/business')
  await plain.fillAll({ ...accountant, educationLevel: 'Associate degree' })
  await plain.press('Back')
  const changed = new URLSearchParams(plain.posted)
  changed.set('educationLevel', '792')
  changed.set('move', 'next')
  await plain.goto('/business', changed)
  plain.expectStep(4)
  expect(plain.error('Program')).toContain('This program is not available here.')
})

test('a program chosen from the list stays chosen through reloads, and the thank-you screen names it', async ({
  page,
  email,
}) => {
  await visit(page, '/business')
  await page.getByRole('link', { name: 'M.B.A.', exact: true }).click()
  await expect(page).toHaveURL(/\/business\?program=8#request$/)
  await untilAlive(page)
  await fillToStep(page, 4, { ...ada, email })
  await expect(field(page, 'Program')).toHaveValue('8')

  // A later choice in the form takes precedence over the address, until a link is followed again.
  await field(page, 'Program').selectOption({ label: 'M.S. Accounting' })
  await page.reload()
  await expectStep(page, 4)
  await expect(field(page, 'Program')).toHaveValue('11')
  await page.getByRole('link', { name: 'M.B.A. IT Management' }).click()
  await expectStep(page, 4)
  await expect(field(page, 'Program')).toHaveValue('10')

  await fillProgram(page, { ...ada, program: 'M.B.A. IT Management' })
  await send(page)
  await expectThanks(page)
  await expect(page.getByText('Your request for the M.B.A. IT Management is saved.')).toBeVisible()
})

for (const { path, name, list } of [
  { path: '/', name: `See all ${programs.length} programs`, list: 'What you can study' },
  {
    path: '/business',
    name: `See all ${programs.filter(({ types }) => types.includes('Business')).length} business programs`,
    list: 'Business programs',
  },
]) {
  test(`${path} shows the number of its programs beside the form, and leads to them`, async ({
    page,
  }) => {
    await visit(page, path)
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { name: list })).toBeInViewport()
  })
}

test('links beside the quotation and the questions lead back to the form and keep the answers', async ({
  page,
}) => {
  for (const [width, height] of [
    [360, 740],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await visit(page, '/business')
    await field(page, 'First name').fill('Ada')
    const links = page.getByRole('link', { name: 'Start your request' })
    await expect(links).toHaveCount(2)
    for (const link of await links.all()) {
      await link.click()
      await expect(field(page, 'First name')).toBeInViewport()
      await expect(field(page, 'First name')).toHaveValue('Ada')
    }
  }
})

const tooHigh = 'B.S. Accounting is not open to people with a master’s degree'

test('step 3 says if the education level rules out the chosen program', async ({ page, email }) => {
  await comeBackTo(page, 3, '/business?program=1', { ...ada, email })
  await fillYourEducation(page, { ...ada, educationLevel: 'Master’s degree' })
  await next(page)
  const question = page.getByRole('group', { name: tooHigh })
  await expect(question).toBeFocused()
  // Enter in a field decides nothing.
  await field(page, 'Graduation year').press('Enter')
  await expect(question).toBeFocused()
  await page.getByRole('link', { name: 'Correct my education level' }).click()
  await expect(field(page, 'Education level')).toBeFocused()
  await fillYourEducation(page, { ...ada, educationLevel: 'Associate degree' })
  await expect(question).toHaveCount(0)
  await next(page)
  await expectStep(page, 4)
  await expect(field(page, 'Program')).toHaveValue('1')
  await fillProgram(page, { ...ada, program: 'B.S. Accounting' })
  await send(page)
  await expectThanks(page)
  await expect(page.getByText('Your request for the B.S. Accounting is saved.')).toBeVisible()
})

test('step 3 says if the education level rules out the chosen program, without JavaScript', async ({
  product,
  email,
}) => {
  const plain = new PlainBrowser(product.url)
  await plain.goto('/business?program=1')
  await plain.fillToStep(3, { ...ada, email })
  plain.answer('your-education', { ...ada, educationLevel: 'Master’s degree' })
  await plain.press('Next')
  plain.expectStep(3)
  expect(plain.asked).toBe(tooHigh)
  // Whoever corrects the level needs no other program.
  plain.answer('your-education', { ...ada, educationLevel: 'Associate degree' })
  await plain.press('Choose another program')
  plain.expectStep(4)
  expect(plain.value('Program')).toBe('1')
  await plain.press('Back')
  plain.answer('your-education', { ...ada, educationLevel: 'Master’s degree' })
  await plain.press('Next')
  await plain.press('Choose another program')
  plain.expectStep(4)
  expect(plain.value('Program')).toBe('')
  await plain.press('Back')
  plain.answer('your-education', { ...ada, educationLevel: 'Associate degree' })
  await plain.press('Next')
  plain.expectStep(4)
  plain.answer('program', { ...ada, program: 'B.S. Accounting' })
  await plain.press('Agree & Continue')
  plain.expectThanks()
  expect(plain.text).toContain('Your request for the B.S. Accounting is saved.')
})

for (const { javaScriptEnabled, viewport } of [
  { javaScriptEnabled: true, viewport: { width: 360, height: 640 } },
  { javaScriptEnabled: false, viewport: { width: 390, height: 664 } },
  { javaScriptEnabled: true, viewport: { width: 1280, height: 800 } },
]) {
  test.describe(`at ${viewport.width} px, JavaScript ${javaScriptEnabled}`, () => {
    test.use({ viewport, javaScriptEnabled })

    test('a link to a program leads to the form, which names the program on its first steps', async ({
      page,
      email,
    }) => {
      const expectAtForm = async (text: string) => {
        await expect(page.locator('#request').getByText(text)).toBeInViewport({ ratio: 1 })
        await expect(field(page, 'First name')).toBeInViewport({ ratio: 1 })
      }
      await page.goto('/technology')
      await page.getByRole('link', { name: 'B.S. Computer Science', exact: true }).press('Enter')
      await expect(page).toHaveURL(/#request$/)
      await expectAtForm('For: B.S. Computer Science')
      // An advertisement has no fragment.
      await page.goto('/technology?utm_source=ad&program=999')
      await expectAtForm('The program in your link is not offered')
      await page.goto('/education?program=15')
      await expectAtForm('You picked B.S. Nursing (RN to BSN), one of the programs in Healthcare')
      await page.getByRole('link', { name: 'Continue with B.S. Nursing' }).click()
      await expect(page).toHaveURL(/\/healthcare\?program=15#request$/)
      await expectAtForm('For: B.S. Nursing (RN to BSN)')
      if (javaScriptEnabled) await untilAlive(page)
      await fillToStep(page, 3, { ...ada, email })
      await expect(page.getByText('For: B.S. Nursing (RN to BSN)')).toBeVisible()
      await page.getByRole('link', { name: 'Change' }).click()
      await expect(page.getByRole('heading', { name: 'Healthcare programs' })).toBeInViewport()
    })
  })
}

test('the general page leads to each area’s programs, which keep what was typed', async ({
  page,
  email,
}) => {
  await comeBackTo(page, 4, '/', { ...ada, email })
  await fillProgram(page, ada)
  await page.getByRole('button', { name: 'business', exact: true }).click()
  await expect(page).toHaveURL(/\/business#request$/)
  await expectStep(page, 4)
  await expect(field(page, 'Program')).toHaveValue('8')
  await expect(field(page, 'Start date')).toHaveValue('immediately')
  await fillProgram(page, { ...ada, program: 'M.S. Accounting' })
  await send(page)
  await expectThanks(page)
})

test('the general page leads to each area’s programs if the tab’s storage is full', async ({
  page,
  email,
}) => {
  await comeBackTo(page, 4, '/', { ...ada, email })
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await fillProgram(page, ada)
  await page.getByRole('button', { name: 'business', exact: true }).click()
  await expect(page).toHaveURL(/\/business$/)
  await expectStep(page, 4)
  await expect(field(page, 'Program')).toHaveValue('8')
  await expect(field(page, 'Start date')).toHaveValue('immediately')
})

test('the general page leads to each area’s programs without JavaScript', async ({
  product,
  email,
}) => {
  const plain = new PlainBrowser(product.url)
  await plain.goto('/?affid=own')
  await plain.fillToStep(4, { ...ada, email })
  await plain.press('healthcare')
  expect(plain.url.pathname + plain.url.search).toBe('/healthcare?affid=own')
  plain.expectStep(4)
  plain.answer('program', { ...ada, program: 'B.S. Nursing (RN to BSN)' })
  await plain.press('Agree & Continue')
  plain.expectThanks()
})
