import { describe, expect, test } from 'vitest'
import { areaPages } from '#content/area-pages.ts'
import { claimsNote } from '#content/claims.ts'
import { sampleNames } from '#content/legal/sample-names.ts'
import { type Area, areas } from '#domain/area.ts'
import { renderLanding } from '../render.tsx'

/** Section 9, "Marketing claims": all that the school has said of itself. */
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
  /\bemployer satisfaction (?:is|at) 99%/i,
]

/** Every sentence that is neither a claim of section 9 nor a question to ask, and why it promises nothing. */
const promisesNothing = new Set([
  'Figures as stated by the school.',
  'Your own result can differ.',
  // What the visitor does, and what section 1 says that the school does then.
  'Tell us where you are now and what you want to study.',
  'Four short steps; then the school contacts you.',
  // What is on offer: the catalogue's own names.
  'Accounting, management, marketing, finance or an M.B.A.',
  'From a first degree to a master’s in leadership.',
  'RN to BSN, BSN to MSN, health leadership and more.',
  'Software engineering, cybersecurity, cloud, data.',
  // True of any school.
  'Accreditation is granted to schools and to single programs.',
  'A business program can be accredited beside its school.',
  'Requirements for a teaching license are your state’s.',
  'Your state decides what a license needs.',
  'Accreditation differs by program.',
  'Teachers know what a good mentor is worth.',
  'After a night shift a plan can fall apart.',
  // The shell.
  'Skip to main content',
  sampleNames.school,
  'Four things to weigh',
  'Privacy Policy',
  'Terms & Conditions',
  'Privacy Rights Request',
  'Unsubscribe (opens in a new tab)',
  `This site is run by ${sampleNames.operator}, which sends your enquiry to ${sampleNames.school}.`,
])

const headings: Record<Area, readonly string[]> = {
  general: [
    'A price to plan with',
    'Work, study, and what follows',
    'Ask before you enroll',
    'Someone to turn to',
  ],
  business: [
    'A number you can budget',
    'Measured where it counts',
    'Know what stands behind it',
    'Around your working week',
  ],
  education: [
    'Set it against a teacher’s pay',
    'In class, on both sides',
    'Licensure differs by state',
    'A mentor for a mentor',
  ],
  healthcare: [
    'Count it through first',
    'Study between shifts',
    'It matters to your license',
    'A plan that survives the week',
  ],
  technology: [
    'Read the whole bill',
    'Numbers to check',
    'Degrees and certifications',
    'Code review for your plan',
  ],
}

/** What the page says outside of the form, in the order in which it is read. */
function pageText(area: Area): string {
  const { school, operator } = sampleNames
  const html = renderLanding(
    {
      assets: { styles: '', bootstrapScript: '', formScript: '', developmentScripts: [] },
      names: sampleNames,
      siteOrigin: 'https://enquiry.example.edu',
    },
    { area, programs: [], currentYear: 2026, title: 'Title', school, operator, disclosure: '' },
    { notToSell: false },
  )
  const withoutForm = html.replace(/<div id="enquiry".*?<\/script>/s, '')
  expect(withoutForm).not.toContain('<form')
  return withoutForm
    .replaceAll(/<(script|svg|style)\b.*?<\/\1>/gs, '')
    .replaceAll(/<\/(p|h\d|li|a|header)>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replace(/^Title/, '')
}

describe.each(areas)('the %s page', (area) => {
  const text = pageText(area)
  const page = areaPages[area]

  test('states the four claims of section 9, and no other figure', () => {
    const figures = text.match(/\$?\d[\d,.]*\d%?/g) ?? []
    expect(figures.toSorted()).toEqual(figuresOf(area).toSorted())
    for (const claim of statedClaim) {
      const stated = sentencesOf(text).filter((sentence) => claim.test(sentence))
      expect(stated, String(claim)).toHaveLength(1)
    }
    expect(text).toContain(claimsNote)
  })

  test('promises nothing else: what a student should know beside it is a question to ask', () => {
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

const segmenter = new Intl.Segmenter('en-US', { granularity: 'sentence' })

/** The sentences of each block, a heading's and a link's words among them. */
const sentencesOf = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((block) => [...segmenter.segment(block)])
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence !== '')
