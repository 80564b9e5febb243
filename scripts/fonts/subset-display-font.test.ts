import { expect, test } from 'vitest'
import { thankYouTexts } from '#content/messages.ts'
import { steps } from '#domain/enquiry/enquiry.ts'
import { settingDeclarations } from '#server/config/setting-declarations.ts'
import { shippedTexts } from '#tests/content/sample-texts.ts'
import { displayCharacters, joinHeadings, subsetDisplayFont } from './subset-display-font.ts'

test('the display font is small enough for a separate request', async () => {
  const font = await subsetDisplayFont('.')
  expect(Buffer.from(font.slice(0, 4)).toString()).toBe('wOF2')
  expect(font.length).toBeLessThanOrEqual(12_000)
})

test('the display font has every letter of every heading', () => {
  const headings = [
    settingDeclarations.SCHOOL_NAME.inDemo,
    thankYouTexts.heading,
    ...steps.map(({ question }) => question),
    joinHeadings(shippedTexts()),
  ]
  const missing = [...headings.join('')].filter((letter) => !displayCharacters.includes(letter))
  expect(missing).toEqual([])
})

test('has a letter that only the operator’s headings have', async () => {
  const plain = await subsetDisplayFont('.')
  expect((await subsetDisplayFont('.', { text: 'ç' })).length).toBeGreaterThan(plain.length)
})
