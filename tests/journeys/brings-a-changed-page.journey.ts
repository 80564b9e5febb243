import { expect, type Page } from '@playwright/test'
import { storedLeads } from '#tests/product/stored-leads.ts'
import { ada } from './ada.ts'
import {
  expectStep,
  field,
  fillAboutYou,
  fillAddress,
  finishFromEducation,
  next,
} from './fill-steps.ts'
import { holdScripts } from './hold-scripts.ts'
import { test, untilAlive, visit } from './visit.ts'

/** Changes that browsers and their extensions make to a page before React starts. Each runs in the page. */
const changes: Record<string, () => void> = {
  'a translation wraps every text': () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: Text[] = []
    while (texts.nextNode()) found.push(texts.currentNode as Text)
    for (const text of found.filter(({ parentElement: parent }) => parent?.closest('form'))) {
      const font = document.createElement('font')
      text.replaceWith(font)
      font.append(text.data)
    }
  },
  'a password manager puts its sign after every field': () => {
    for (const input of document.querySelectorAll('form input')) {
      input.after(document.createElement('div'))
    }
  },
  'an extension adds a hidden field': () => {
    const input = Object.assign(document.createElement('input'), { type: 'hidden', name: 'x' })
    document.querySelector('form')?.prepend(input)
  },
}

for (const [change, make] of Object.entries(changes)) {
  test(`the form keeps the answers, and the visitor can go on, if ${change}`, async ({
    page,
    email,
  }) => {
    const release = await holdScripts(page)
    await page.goto('/business', { waitUntil: 'commit' })
    await fillAboutYou(page, { ...ada, email })
    await page.evaluate(make)
    await field(page, 'Last name').focus()
    release()
    await untilAlive(page)
    await expect(field(page, 'Last name')).toBeFocused()
    await page.keyboard.press('End')
    await page.keyboard.type('-King')
    await expect(field(page, 'First name')).toHaveValue(ada.firstName)
    await expect(field(page, 'Last name')).toHaveValue(`${ada.lastName}-King`)
    await expect(field(page, 'Email')).toHaveValue(email)
    await next(page)
    await expectStep(page, 2)
  })
}

/** Translates as browsers do: every text is moved into a `font` element, and so is every new text at once. */
async function translate(page: Page) {
  await page.evaluate(() => {
    const translateAll = () => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const found: Text[] = []
      while (texts.nextNode()) found.push(texts.currentNode as Text)
      for (const text of found) {
        if (text.parentElement?.matches('font, script, style, option') || !text.data.trim())
          continue
        const font = document.createElement('font')
        text.replaceWith(font)
        font.append(text.data)
      }
    }
    translateAll()
    const watched = { childList: true, subtree: true, characterData: true }
    new MutationObserver(translateAll).observe(document.body, watched)
  })
}

test('a browser can translate every question, error and answer of the page', async ({
  page,
  product,
  email,
}) => {
  const failures: string[] = []
  page.on('pageerror', ({ message }) => failures.push(message))
  page.on('console', (line) => line.type() === 'error' && failures.push(line.text()))
  await visit(page, '/business')
  await translate(page)
  await next(page)
  await expect(field(page, 'First name')).toHaveAccessibleDescription('Enter your first name.')
  await fillAboutYou(page, { ...ada, email: 'ada@gmial.com' })
  await next(page)
  await expect(page.getByRole('button', { name: 'Use ada@gmail.com' })).toBeVisible()
  await field(page, 'Email').fill(email)
  await next(page)
  await expectStep(page, 2)
  await fillAddress(page, { ...ada, zip: '00000' })
  await next(page)
  await expect(field(page, 'ZIP code')).toHaveAttribute('aria-invalid', 'true')
  await fillAddress(page, { ...ada, address: '1 REPLACE St' })
  await next(page)
  await page.getByRole('button', { name: 'Keep what I typed' }).click()
  await expectStep(page, 3)
  await page.goBack()
  await expectStep(page, 2)
  await next(page)
  await finishFromEducation(page, ada)
  expect(storedLeads(product.dataDir, email)).toHaveLength(1)
  expect(failures).toEqual([])
})

test('if an extension removes a part of the form, the visitor can still send the rest', async ({
  page,
  product,
  email,
}) => {
  await visit(page, '/business')
  await next(page)
  await expect(page.locator('[data-summary]')).toBeFocused()
  await page.locator('[data-summary]').evaluate((summary) => summary.remove())
  await fillAboutYou(page, { ...ada, email })
  await next(page)
  await expectStep(page, 2)
  await fillAddress(page, ada)
  await next(page)
  await finishFromEducation(page, ada)
  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { payload: { firstName: ada.firstName, address: ada.address, city: 'Sarasota' } },
  ])
})

test('the form reads and formats autofill that fires no event, and keeps it through a reload', async ({
  page,
  product,
  email,
}) => {
  /** Fills fields like a password manager or a phone, which may fire no event or only `change`. */
  const autofill = (values: Record<string, string>, event?: string) =>
    page.evaluate(
      ([values, event]) => {
        // The prototype's setter, because React replaces the element's own.
        const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
        for (const [name, value] of Object.entries(values)) {
          const field = document.querySelector<HTMLInputElement>(`[name=${name}]`)
          if (!field) continue
          set?.call(field, value)
          if (event) field.dispatchEvent(new Event(event, { bubbles: true }))
        }
      },
      [values, event] as const,
    )
  await visit(page, '/business')
  await next(page)
  await expect(field(page, 'Phone')).toHaveAttribute('aria-invalid', 'true')
  const { firstName, lastName } = ada
  await autofill({ firstName, lastName, phone: '+1 941 555 0100', email }, 'change')
  await expect(field(page, 'First name')).not.toHaveAttribute('aria-invalid', 'true')
  await next(page)
  await expectStep(page, 2)
  await autofill({ address: ada.address, zip: ada.zip })
  await page.reload()
  await untilAlive(page)
  await expectStep(page, 2)
  await expect(field(page, 'Street address')).toHaveValue(ada.address)
  await autofill({ zip: ada.zip })
  await next(page)
  await expectStep(page, 3)
  await finishFromEducation(page, ada)
  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { payload: { firstName, lastName, phone: '9415550100', zip: ada.zip } },
  ])
})
