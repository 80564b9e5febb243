import { describe, expect, test } from 'vitest'
import { formLinkTexts } from '#content/messages.ts'
import { replacePlaceholders, type SchoolFacts } from '#content/site-texts.ts'
import { type Area, areaPath, areas } from '#domain/area.ts'
import { sampleNames, sampleTexts } from '#tests/content/sample-texts.ts'
import { renderHtml } from '../shell/document.tsx'
import { LandingPage } from './landing-page.tsx'

const segmenter = new Intl.Segmenter('en-US', { granularity: 'sentence' })

/** Returns the sentences of each block, including headings and link texts. */
const sentencesOf = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((block) => [...segmenter.segment(block)])
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence !== '')

const siteOrigin = 'https://enquiry.example.edu'

/**
 * The tests check the shipped texts. Operators are responsible for their own texts, in which each claim has its source.
 */
const texts = sampleTexts()
const { headings: shared, figuresNote, accreditor, telephone, responseTime } = texts.shared
const { school, operator, privacyEmail } = sampleNames

/** Section 9, "Marketing claims": every figure that the school has stated, with its label on the page. */
const claimsOf = (area: Area) => [
  ['about $8,010', 'tuition per year'],
  [area === 'technology' ? '$22,000' : '$22,200', 'average salary increase'],
  ['99%', 'employer satisfaction'],
  ['79%', 'of students keep working'],
]

/** What follows from the claims. */
const derived = [
  'That is some $670 a month',
  'On average, that is more than two and a half years of tuition',
]

/** Every sentence that states no claim, grouped by the reason why it promises nothing. */
const promisesNothing = new Set([
  'Figures as stated by the school.',
  'Your results may vary.',
  // Sentences about the programs on offer, with the catalogue's names.
  'Business, education, healthcare or technology, online around your week.',
  'Accounting, management, marketing, finance or an M.B.A., around your job.',
  'Teaching degrees, from bachelor’s to master’s, around your week.',
  'RN to BSN, BSN to MSN and health leadership, around your shifts.',
  'Software engineering, cybersecurity, cloud computing or data, after hours.',
  // What follows from a price that is known, and from a raise.
  'Put it beside any other school on your list.',
  'Put it beside any bootcamp or campus on your list.',
  'You know it before you give up a single shift.',
  'Tuition ends with the degree; a raise is paid every year.',
  'Tuition ends with the degree; a raise is on every paycheck.',
  // Sentences that are true of any school.
  'Many districts pay more for each further degree.',
  'Satisfied employers are one proof of a degree, its accreditation is another.',
  'What employers say is one check, the accreditor is the other.',
  'What employers say is one thing.',
  'Your state’s license is another, with rules of its own.',
  'What employers say is one thing.',
  'Your board’s license is another, with rules of its own.',
  'Employers see many certificates expire; a degree does not.',
  'Work and family can fill any week.',
  'When the books close, coursework has to wait.',
  'Some evenings belong to lesson plans and grading.',
  'Nights, doubles and call-ins upset any plan.',
  'Everybody who builds something gets stuck.',
  // The two facts beside the form, which repeat claims.
  'Tuition about $8,010 per year',
  '79% of students keep working',
  // The texts of the page's header, footer and form controls.
  ...Object.values(formLinkTexts),
  `${formLinkTexts.call} ${telephone?.number}`,
  // Sentences about the site itself.
  'What does it cost?',
  'Asking is free, and commits you to nothing.',
  'Tuition is about $8,010 per year, or some $670 a month.',
  `Fees differ by program, and ${school} can name them for the one you choose.`,
  'Who calls me, and when?',
  `Someone from ${school} may call or email you about your request.`,
  'Who gets my details?',
  `You ask one school, ${school}.`,
  `${operator} runs this site, is not the school, and sends your request to it.`,
  `The Privacy Policy says what else ${operator} may do with your details.`,
  'Can I change my mind?',
  'Yes, at any step.',
  'We store no request until you select Agree & Continue on the last step; on the second step, an address service checks your address.',
  'To stop calls and emails later, tell the school or use the unsubscribe form.',
  'How do I have my details deleted?',
  `Write to ${privacyEmail}.`,
  'The Privacy Rights Request page says what to write.',
  'Skip to main content',
  school,
  ...Object.values(shared),
  ...areas.flatMap((area) => [
    texts.areas[area].name,
    replacePlaceholders(shared.programs, { area: texts.areas[area].name }),
  ]),
  'Privacy Policy',
  'Terms & Conditions',
  'Privacy Rights Request',
  'Unsubscribe (opens in a new tab)',
  `This site is run by ${operator}, which sends your request to ${school}.`,
])

/** The demo school's invented facts, which production refuses. */
const inventedFacts = (area: Area): readonly string[] => {
  const { quote } = texts.areas[area]
  return [
    `${school} has been accredited by ${accreditor?.name} since ${accreditor?.since}.`,
    `The school aims to answer within ${responseTime}.`,
    `Would you rather call? ${telephone?.number}, ${telephone?.hours}.`,
    'Before you enroll, the school checks with you what your state requires for a license.',
    'One mentor plans each term around your hours, and calls when a week goes wrong.',
    'Your mentor plans each term around your deadlines, and calls when a week goes wrong.',
    'Your mentor has taught, plans each term around the school year, and calls when you go quiet.',
    'Your mentor plans each term around your shifts, and calls when a week goes wrong.',
    'Your mentor answers by the next working day, and plans each term around your hours.',
    `“${quote?.text}”`,
    `${quote?.name}, ${quote?.role}`,
  ].flatMap(sentencesOf)
}

const headings: Record<Area, readonly string[]> = {
  general: [
    'Know the price before you apply',
    'A raise you can weigh',
    'Credit that travels',
    'Someone who notices when you stop',
  ],
  business: [
    'A number for your budget, and your boss',
    'The return, in dollars',
    'A credential that passes the check',
    'A mentor who knows quarter-end',
  ],
  education: [
    'A teaching degree on a school salary',
    'Higher on the pay scale',
    'Your state, your license',
    'A mentor who has stood in front of a class',
  ],
  healthcare: [
    'A price you can plan around',
    'More pay, same calling',
    'Fit for your license',
    'Built for nights and weekends',
  ],
  technology: [
    'A full degree, one clear price',
    'Work that pays for itself',
    'A degree behind the certificates',
    'Unstuck by tomorrow',
  ],
}

/** Returns the page's text outside the form, in reading order. */
function pageText(area: Area, facts: Partial<SchoolFacts> = {}): string {
  const noFacts = { accreditor: undefined, telephone: undefined }
  const html = renderHtml(
    <LandingPage
      context={{
        assets: { styles: '', bootstrapScript: '', formScript: '', developmentScripts: [] },
        names: sampleNames,
        texts: { ...texts, shared: { ...texts.shared, ...noFacts, ...facts } },
        siteOrigin,
      }}
      form={{
        area,
        programs: [],
        currentYear: 2026,
        title: 'Title',
        school,
        operator,
        disclosure: { html: '', id: '' },
        promise: { html: '' },
      }}
      attribution=""
      notToSell={false}
      catalogue={[]}
    />,
  )
  const withoutForm = html.replace(/<div id="enquiry".*?<\/script>/s, '')
  expect(withoutForm).not.toContain('method="post"')
  return withoutForm
    .replaceAll(/<(script|svg|style)\b.*?<\/\1>/gs, '')
    .replaceAll(/<\/(?:p|h\d|li|summary|header|blockquote|figcaption)>|<\/a>(?=<)/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replace(/^Title/, '')
}

describe.each(areas)('the %s page', (area) => {
  const text = pageText(area)
  const page = texts.areas[area]

  test('states the four claims of section 9 once in large type, with one note', () => {
    const below = text.slice(text.indexOf(shared.reasons))
    for (const [figure, label] of claimsOf(area)) {
      expect(below.split(`${figure} ${label}\n`), label).toHaveLength(2)
    }
    expect(text.split(figuresNote)).toHaveLength(2)
    const [tuition, work] = page.facts
    expect(text).toContain(`${page.lead}\n${tuition}\n${work}\n`)
  })

  test('promises nothing else', () => {
    const ownWords = new Set([
      ...sentencesOf(page.title),
      ...sentencesOf(page.headline),
      ...headings[area],
      ...claimsOf(area).map((claim) => claim.join(' ')),
      ...inventedFacts(area),
      `Request information at ${siteOrigin}${areaPath(area)}`,
    ])
    const unknown = sentencesOf(text).filter(
      (sentence) =>
        !derived.some((one) => sentence.startsWith(one)) &&
        !promisesNothing.has(sentence) &&
        !ownWords.has(sentence),
    )
    expect(unknown).toEqual([])
    expect(page.reasons.map(({ heading }) => heading)).toEqual(headings[area])
  })

  test('has its title and an invitation to start as the heading of its hero', () => {
    expect(text).toContain(`${page.title}\n${page.headline}\n${page.lead}\n`)
    expect(page.headline).toMatch(/\bstart /i)
  })
})

test('the accreditor and the telephone stand on the page if the school has given them', () => {
  const { accreditor, telephone } = texts.shared
  const given = pageText('business', { accreditor, telephone })
  expect(given).toContain('\nAccredited by the Great Plains Commission on Colleges since 1998\n')
  expect(given).toContain('\nCall (800) 555-0142\n Monday to Friday')
  expect(pageText('business')).not.toMatch(/^(Accredited by|Call \(800\))/m)
  const young = { name: 'a commission', since: undefined, logo: undefined, url: undefined }
  expect(pageText('business', { accreditor: young })).toContain('\nAccredited by a commission\n')
})
