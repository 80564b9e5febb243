import { expect, test } from 'vitest'
import type { SharedTexts } from '#content/site-texts.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { sampleTexts } from '#tests/content/sample-texts.ts'
import { renderHtml } from '../shell/document.tsx'
import { MarketingBlock } from './sections.tsx'

const texts = sampleTexts()

const programOf = (id: number, name: string): Program => ({
  id,
  name,
  active: id === 3,
  types: ['Business'],
  degreeType: 'Bachelors',
})
const programs = [programOf(3, 'B.S. Marketing'), programOf(1, 'B.S. Accounting')]

const render = (changes: Partial<SharedTexts>, chosen?: Program) => {
  const business = { ...texts.areas.business, quote: changes.quote }
  return renderHtml(
    <MarketingBlock
      area="business"
      texts={{
        ...texts,
        shared: { ...texts.shared, ...changes },
        areas: { ...texts.areas, business },
      }}
      programs={programs}
      catalogue={programs}
      chosen={chosen}
    />,
  )
}

test('facts that the school has not given leave nothing behind', () => {
  const given = render({ quote: texts.areas.business.quote })
  expect(given).toContain('<strong>Dana Whitfield</strong>, M.B.A., operations lead, Omaha')
  expect(given).toContain('<a href="tel:+18005550142">')
  const absent = render({ quote: undefined, telephone: undefined, questions: [] })
  expect(absent).not.toMatch(/<figure|tel:|or call/)
  const { name, text, consent } = texts.areas.business.quote ?? {}
  const nameless = render({
    quote: { name: `${name}`, text: `${text}`, role: undefined, consent: `${consent}` },
  })
  expect(nameless).toContain('<figcaption><strong>Dana Whitfield</strong></figcaption>')
})

test('programs are in alphabetical order, and each but the chosen one leads into the form', () => {
  const html = render({}, programs[0])
  const [list = ''] = /<ul><li>.*?<\/ul>/s.exec(html) ?? []
  expect(list.replaceAll(/ class="[^"]*"/g, '')).toBe(
    '<ul><li><a href="/business?program=1#request">B.S. Accounting</a></li>' +
      '<li><span aria-current="page">B.S. Marketing</span></li></ul>',
  )
})

test('a reason without a claim shows its topic in its place, and no note without any claim', () => {
  const reasons = texts.areas.business.reasons.map((reason) => ({ ...reason, figure: undefined }))
  const html = renderHtml(
    <MarketingBlock
      area="business"
      texts={{
        ...texts,
        areas: { ...texts.areas, business: { ...texts.areas.business, reasons } },
      }}
      programs={[]}
      catalogue={[]}
      chosen={undefined}
    />,
  )
  expect(html).toContain(
    '<span>Accreditation</span></p><h3>A credential that passes the check</h3>',
  )
  expect(html).not.toContain(texts.shared.figuresNote)
})
