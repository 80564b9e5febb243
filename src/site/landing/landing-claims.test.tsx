import { describe, expect, test } from 'vitest'
import { replacePlaceholders, type SchoolFacts } from '#content/site-texts.ts'
import { type Area, areas } from '#domain/area.ts'
import { sampleNames, sampleTexts } from '#tests/content/sample-texts.ts'
import { renderHtml } from '../shell/document.tsx'
import { LandingPage } from './landing-page.tsx'

/**
 * The tests check the shipped texts. Operators are responsible for their own texts, in which each claim has its source.
 */
const texts = sampleTexts()
const { headings: shared, figuresNote } = texts.shared

/** Section 9, "Marketing claims": all figures that the school has stated. */
const figuresOf = (area: Area) => [
  '$8,010',
  area === 'technology' ? '$22,000' : '$22,200',
  '79%',
  '99%',
]

const statedClaim = [
  /^Tuition is about \$8,010 per year\b/,
  /^79% of students keep working\b/,
  /\baverage salary increase is \$22,[02]00\b/,
  /\bemployer satisfaction is 99%/i,
]

/** Every sentence that is neither a claim of section 9 nor a question, grouped by the reason why it promises nothing. */
const promisesNothing = new Set([
  'Figures as stated by the school.',
  'Your results may vary.',
  // Sentences about the visitor's next steps and the school's response in section 1.
  'Tell us in four short steps what you want to study, and the school contacts you.',
  // Sentences about the programs on offer, with the catalogue's names.
  'Accounting, management, marketing, finance or an M.B.A.',
  'Degrees in teaching, from a bachelor’s to a master’s in leadership.',
  'Degrees in nursing (RN to BSN, BSN to MSN), health leadership and more.',
  'Degrees in software engineering, cybersecurity, cloud computing and data.',
  // Sentences that are true of any school.
  'A school can have an accreditation, and so can a single program.',
  'A business program can have an accreditation of its own, besides the school’s.',
  'Your state sets the requirements for a teaching license.',
  'Your state sets the requirements for a license.',
  'Accreditation differs by program.',
  'Night shifts can upset any plan for your studies.',
  // The figures and their labels.
  ...areas.flatMap((area) => texts.areas[area].figures.map(({ figure }) => figure)),
  'approximate tuition per year',
  'of students keep working',
  'average salary increase',
  'employer satisfaction',
  'Tuition about $8,010 per year',
  // A link of the page.
  'Go to the form',
  // Sentences about the site itself.
  'Who runs this site?',
  `${sampleNames.operator} runs this site, and is not the school.`,
  `${sampleNames.operator} sends your request to ${sampleNames.school}, which then contacts you.`,
  `The Privacy Policy explains how ${sampleNames.operator} uses your details.`,
  'Does a request cost anything?',
  'A request is free, and you can stop at any step.',
  'When does the school receive my details?',
  'The school receives your details after you select Agree & Continue on the last step.',
  'Until you select Agree & Continue, we store no request.',
  'On the second step, an address service checks the address that you enter.',
  'How will the school contact me?',
  'The school may call or email you, using the details that you enter.',
  'To stop calls and emails, tell the school or use the unsubscribe form.',
  'How can I have my details deleted?',
  `Write to ${sampleNames.privacyEmail}.`,
  'The Privacy Rights Request page explains what to write.',
  'Skip to main content',
  sampleNames.school,
  ...Object.values(shared),
  ...areas.flatMap((area) => [
    texts.areas[area].name,
    replacePlaceholders(shared.programs, { area: texts.areas[area].name }),
  ]),
  'Privacy Policy',
  'Terms & Conditions',
  'Privacy Rights Request',
  'Unsubscribe (opens in a new tab)',
  `This site is run by ${sampleNames.operator}, which sends your request to ${sampleNames.school}.`,
])

const headings: Record<Area, readonly string[]> = {
  general: [
    'A price to compare',
    'Work, study and pay',
    'Ask before you enroll',
    'Help from a mentor',
  ],
  business: [
    'A cost you can plan for',
    'Work, pay and employers',
    'Program and school accreditation',
    'Advice while you work',
  ],
  education: [
    'The cost of a teaching degree',
    'Study while you teach',
    'Licensure differs by state',
    'Mentors for teachers',
  ],
  healthcare: [
    'The full cost',
    'Study between shifts',
    'Accreditation and your license',
    'Help when plans change',
  ],
  technology: [
    'The full price',
    'Work, study and pay',
    'Degrees and certifications',
    'A mentor for your studies',
  ],
}

/** Returns the page's text outside the form, in reading order. */
function pageText(area: Area, facts: Partial<SchoolFacts> = {}): string {
  const { school, operator } = sampleNames
  const noFacts = { accreditor: undefined, telephone: undefined }
  const html = renderHtml(
    <LandingPage
      context={{
        assets: { styles: '', bootstrapScript: '', formScript: '', developmentScripts: [] },
        names: sampleNames,
        texts: { ...texts, shared: { ...texts.shared, ...noFacts, ...facts } },
        siteOrigin: 'https://enquiry.example.edu',
      }}
      form={{
        area,
        programs: [],
        currentYear: 2026,
        title: 'Title',
        school,
        operator,
        disclosure: { html: '' },
        promise: { html: '' },
      }}
      attribution=""
      disclosureId=""
      notToSell={false}
      catalogue={[]}
    />,
  )
  const withoutForm = html.replace(/<div id="enquiry".*?<\/script>/s, '')
  expect(withoutForm).not.toContain('method="post"')
  return withoutForm
    .replaceAll(/<(script|svg|style)\b.*?<\/\1>/gs, '')
    .replaceAll(/<\/(?:p|h\d|li|dt|dd|summary|header|label|option|button)>|<\/a>(?=<)/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replace(/^Title/, '')
}

describe.each(areas)('the %s page', (area) => {
  const text = pageText(area)
  const page = texts.areas[area]

  test('states the four claims of section 9, and no other figure', () => {
    const figures = text.match(/\$?\d[\d,.]*\d%?/g) ?? []
    // Each figure appears once large and once in a sentence; two figures also appear beside the form.
    expect(figures.toSorted()).toEqual(
      [...figuresOf(area), ...figuresOf(area), '$8,010', '79%'].toSorted(),
    )
    for (const claim of statedClaim) {
      const stated = sentencesOf(text).filter(
        (sentence) => claim.test(sentence) && !page.facts.includes(sentence),
      )
      expect(stated, String(claim)).toHaveLength(1)
    }
    const [tuition, work] = page.facts
    expect(text).toContain(`${page.lead}\n${tuition}\n${work}\n`)
    expect(text.split(figuresNote)).toHaveLength(2)
  })

  test('promises nothing else', () => {
    const ownWords = new Set([
      page.title,
      page.headline,
      ...page.reasons.map(({ topic }) => topic),
      ...headings[area],
    ])
    const unknown = sentencesOf(text).filter(
      (sentence) =>
        !/^Ask /.test(sentence) &&
        !statedClaim.some((claim) => claim.test(sentence)) &&
        !promisesNothing.has(sentence) &&
        !ownWords.has(sentence),
    )
    expect(unknown).toEqual([])
    expect(page.reasons.map(({ heading }) => heading)).toEqual(headings[area])
  })

  test('has its title and an invitation to start as the heading of its hero', () => {
    expect(text).toContain(`${page.title}\n${page.headline}\n${page.lead}\n`)
    expect(page.headline).toMatch(/^Start /)
  })
})

test('the accreditor and the telephone stand on the page if the school has given them', () => {
  const { accreditor, telephone } = texts.shared
  const given = pageText('business', { accreditor, telephone })
  expect(given).toContain('\nAccredited by the Great Plains Commission on Colleges since 1998\n')
  expect(given).toContain('\n(800) 555-0142\n Monday to Friday')
  expect(pageText('business')).not.toMatch(/Accredited by|555/)
  const young = { name: 'a commission', since: undefined, logo: undefined, url: undefined }
  expect(pageText('business', { accreditor: young })).toContain('\nAccredited by a commission\n')
})

const segmenter = new Intl.Segmenter('en-US', { granularity: 'sentence' })

/** Returns the sentences of each block, including headings and link texts. */
const sentencesOf = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((block) => [...segmenter.segment(block)])
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence !== '')
