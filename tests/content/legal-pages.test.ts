import { describe, expect, it } from 'vitest'
import { hrefsOf, pageText, sectionText } from './page-text.ts'
import { sampleNames, sampleTexts } from './sample-texts.ts'

const { legal } = sampleTexts()
const privacy = legal['/information/privacy-policy']
const terms = legal['/information/terms-conditions']
const rights = legal['/information/privacy-rights-request']
const pages = [privacy, terms, rights].map((page) => [page.title, page] as const)

describe('Terms & Conditions', () => {
  it('has the date of the specification, and no other page has a date', () =>
    expect(pages.map(([, page]) => page.lastUpdated)).toEqual([undefined, '2/21/2021', undefined]))

  const points: Record<string, readonly (readonly [point: string, words: RegExp])[]> = {
    eligibility: [['at least 18', /at least 18 years old/]],
    service: [
      ['free guides and contact requests', /contact request or a free guide costs you nothing/],
      ['email by the school and its affiliates', /school and its affiliates may email you/],
      ['opting out', /opt out at any time/],
    ],
    purchases: [
      ['accepted cards', /Visa, MasterCard and Discover/],
      ['charge', /charge the card within 30 days of your authorization/],
      ['billing discrepancies', /billing discrepancy to .* within 60 days/],
    ],
    'electronic-signature': [
      ['the signature', /that is your electronic signature/],
      ['electronic records', /receive agreements, notices and records from us electronically/],
    ],
    notices: [
      ['email', /by email is deemed received 24 hours after it was sent/],
      ['mail', /by mail is deemed received 3 days after it was mailed/],
    ],
    arbitration: [
      ['informal dispute period', /informal dispute period of 60 days/],
      ['arbitration', /decided by binding arbitration/],
      ['class action waiver', /may bring claims only for ourselves.*class action/],
      ['time limit', /must be started within 1 year/],
    ],
    'governing-law': [
      ['Florida', /law of the State of Florida governs/],
      ['Sarasota County', /venue .* is Sarasota County, Florida/],
    ],
  }
  describe.each(Object.entries(points))('under #%s', (id, required) => {
    it.each(required)('%s', (_, words) => expect(sectionText(terms, id)).toMatch(words))
  })
})

describe('Privacy Rights Request', () => {
  it.each([
    ['deletion', /^Deletion: /m],
    ['portability', /^Portability: /m],
    ['disclosure', /^Disclosure: /m],
    ['by email', /Write to privacy@lantern\.example/],
  ])('%s', (_, words) => expect(sectionText(rights, 'how-to-ask')).toMatch(words))

  it('links to the email address and to the Privacy Policy', () =>
    expect(hrefsOf(rights)).toEqual([
      'mailto:privacy@lantern.example',
      '/information/privacy-policy',
    ]))

  it('takes less than two minutes to read, at 200 words a minute', () =>
    expect(pageText(rights).split(/\s+/).length).toBeLessThan(400))
})

describe.each([
  ['Privacy Policy', sectionText(privacy, 'california-notice')],
  ['Privacy Rights Request', sectionText(rights, 'good-to-know')],
])('the %s has the rules for requests', (_, text) => {
  it.each([
    [
      'twice in 12 months',
      /verifiable request for access or portability only twice in any 12 months/,
    ],
    ['authorized agents', /written authorization that both you and the agent have signed/],
    ['identity', /verify your identity.*email address, phone number, ZIP code or birth date/],
    ['no account', /do not need an account/],
    ['password-protected account', /through a password-protected account counts as verified/],
  ])('%s', (__, words) => expect(text).toMatch(words))
})

describe.each(pages)('%s', (_, page) => {
  const text = pageText(page)

  it('has ids that are unique and fit an address', () => {
    const ids = page.sections.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/)
  })

  it('has text under every heading', () => {
    for (const { id, heading } of page.sections) {
      expect(heading).not.toBe('')
      expect(sectionText(page, id)).toMatch(/\w{3}/)
    }
  })

  it('has no unfilled placeholder, and only the names from the settings', () => {
    expect(text).not.toMatch(
      /undefined|null|\[object|TODO|TBD|lorem|[{}[\]<>]|_{2,}(?!Host-)|X{3,}/i,
    )
    expect(text).not.toMatch(/\bWGU\b|Western Governors|Google|LeadHoop|TrustedForm/i)
    expect(text).toContain('Lantern Enrollment')
  })

  it('links only to existing pages and sections, and to the operator’s addresses', () => {
    const known = [
      '/information/privacy-policy',
      '/information/terms-conditions',
      '/information/privacy-rights-request',
      `mailto:${sampleNames.privacyEmail}`,
      sampleNames.unsubscribeUrl,
      ...page.sections.map(({ id }) => `#${id}`),
    ]
    expect(hrefsOf(page).filter((href) => !known.includes(href))).toEqual([])
    expect(hrefsOf(page)).toContain(`mailto:${sampleNames.privacyEmail}`)
  })
})
