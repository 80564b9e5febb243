import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { contentFolder } from '#tests/content/sample-texts.ts'
import { removeInventedFacts } from '#tests/content/without-invented-facts.ts'
import { readContent } from './read-content.ts'

/** Returns a copy of the shipped folder with edited files. */
function edited(edits: Readonly<Record<string, (text: string) => string | Buffer>>) {
  const folder = mkdtempSync(join(tmpdir(), 'content-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(contentFolder, folder, { recursive: true })
  for (const [file, edit] of Object.entries(edits)) {
    const text = readFileSync(join(contentFolder, file), 'utf8')
    const written = edit(text)
    expect(written, 'the edit changes something').not.toEqual(text)
    writeFileSync(join(folder, file), written)
  }
  return folder
}

function faultsOf(folder: string): readonly string[] {
  const read = readContent(folder, 'demo')
  return read.ok ? [] : read.faults
}

const faultsAfter = (file: string, edit: (text: string) => string | Buffer) =>
  faultsOf(edited({ [file]: edit }))

/** Returns the line of the shipped file that contains a text. */
const lineOf = (file: string, text: string): number => {
  const lines = readFileSync(join(contentFolder, file), 'utf8').split('\n')
  return lines.findIndex((line) => line.includes(text)) + 1
}

test('the shipped texts are valid', () => {
  expect(readContent(contentFolder, 'demo')).toMatchObject({
    ok: true,
    texts: {
      areas: {
        business: {
          name: 'Business',
          colors: { accent: '#0f5b57', darkAccent: '#68c2b8' },
          reasons: [
            {
              figure: { before: 'about', figure: '$8,010' },
              text: expect.stringMatching(/^That is some \$670 a month: /),
            },
            {
              text: expect.stringMatching(
                /^On average, that is more than two and a half years of /,
              ),
            },
            {
              text: expect.stringMatching(
                / \{school\} has been accredited by the .* since 1998\.$/,
              ),
            },
            { text: expect.stringMatching(/ Your mentor plans each term around your deadlines, /) },
          ],
          quote: { name: 'Dana Whitfield' },
        },
        // The technology page has its own figure, which replaces the shared figure.
        technology: {
          reasons: [{}, { figure: { figure: '$22,000' } }, {}, {}],
          // The page’s own quotation replaces the shared one.
          quote: { name: 'Andre Bishop' },
        },
      },
      shared: {
        accreditor: { name: 'the Great Plains Commission on Colleges', since: '1998' },
        telephone: { number: '(800) 555-0142', href: 'tel:+18005550142' },
        responseTime: 'one business day',
        questions: [
          {
            answer: {
              html: expect.stringContaining('about $8,010 per year, or some $670 a month'),
            },
          },
          {
            answer: {
              html: expect.stringMatching(
                / within one business day\. Would you rather call\? <a href="tel:\+18005550142">\(800\) 555-0142<\/a>, Monday .* Central\.$/,
              ),
            },
          },
          {},
          {},
          {},
        ],
        promise: { html: expect.stringMatching(/ <strong>Agree &amp; Continue<\/strong>\.$/) },
      },
      legal: { '/information/terms-conditions': { lastUpdated: '2/21/2021' } },
    },
  })
})

test('line ends and byte order marks of other systems change nothing', () => {
  const withWindowsLineEnds = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`
  const folder = edited({
    'site.yaml': withWindowsLineEnds,
    'terms-conditions.md': withWindowsLineEnds,
  })
  expect(readContent(folder, 'demo')).toEqual(readContent(contentFolder, 'demo'))
})

test.each<
  [what: string, file: string, edit: (text: string) => string, line: string, fault: string]
>([
  [
    'a claim without its source',
    'site.yaml',
    (text) => text.replace('    source: stated by the school\n', ''),
    'tuition:',
    'source is missing$',
  ],
  [
    'a claim without the day of its check',
    'technology.yaml',
    (text) => text.replace('checked: 2026-11-21', 'checked: last year'),
    'checked:',
    'checked is not a day: write it like 2026-11-21$',
  ],
  [
    'an accent that is too light',
    'business.yaml',
    (text) => text.replace("accent: '#0f5b57'", "accent: '#55b5b0'"),
    'accent:',
    'accent is hard to read: its contrast is 2\\.\\d : 1, and at least 4\\.5 : 1 is needed$',
  ],
  [
    'an accent of the dark scheme that is too dark',
    'business.yaml',
    (text) => text.replace('#68c2b8', '#0f5b57'),
    'dark-accent:',
    'dark-accent is hard to read: its contrast is 1\\.\\d : 1',
  ],
  [
    'a stage on which white text is hard to read',
    'business.yaml',
    (text) => text.replace('#0a4441', '#8fb8b5'),
    'stage:',
    'stage is hard to read: its contrast is 1\\.\\d : 1',
  ],
  [
    'a color without quotes',
    'business.yaml',
    (text) => text.replace("'#0f5b57'", '#0f5b57'),
    'accent:',
    'accent is not a color: .*in quotes',
  ],
  [
    'a headline that is too long for its place',
    'business.yaml',
    (text) =>
      text.replace('without stepping out', 'without stepping out of the job that you have now'),
    'headline:',
    'headline is \\d\\d characters long: there is room for 60$',
  ],
  [
    'a placeholder that is misspelt',
    'business.yaml',
    (text) => text.replace('{tuition-per-month}', '{tution-per-month}'),
    'text:',
    'text has \\{tution-per-month\\}, which is not a placeholder here: use .*\\{tuition-per-month\\}',
  ],
  [
    'a placeholder in a text that the build reads',
    'business.yaml',
    (text) => text.replace('headline: Start', 'headline: At {school} start'),
    'headline:',
    'headline has \\{school\\}, which is not a placeholder here: none can be used$',
  ],
  [
    'a figure that is no claim',
    'business.yaml',
    (text) => text.replace('figure: tuition', 'figure: price'),
    'figure:',
    'figure is price, which is not a claim: use tuition, keep-working, ',
  ],
  [
    'a key that is unknown',
    'business.yaml',
    (text) => text.replace('headline:', 'heading:'),
    'headline:',
    'heading is unknown here$',
  ],
  [
    'a text with a colon and no quotes',
    'general.yaml',
    (text) => text.replace('headline: Start', 'headline: {school} Start'),
    'headline:',
    'this is not YAML: .*in quotes, or below >-$',
  ],
  [
    'a repeated key',
    'business.yaml',
    (text) => text.replace('lead: >-', 'name: Now\nlead: >-'),
    'lead: >-',
    'this is not YAML: Map keys must be unique',
  ],
  [
    'a tab in front of a line',
    'business.yaml',
    (text) => text.replace('  accent:', '\taccent:'),
    'accent:',
    'this is not YAML: Tabs are not allowed as indentation',
  ],
  [
    'a telephone number that nobody can call',
    'site.yaml',
    (text) => text.replace('(800) 555-0142', '555-0142'),
    'number:',
    'number is not a U\\.S\\. telephone number: write it like \\(800\\) 555-0142$',
  ],
  [
    'a quotation without the day of its consent',
    'site.yaml',
    (text) => text.replace('  consent: 2026-11-21\n', ''),
    'quote:',
    'consent is missing$',
  ],
  [
    'a quotation with marks of its own',
    'site.yaml',
    (text) => text.replace('text: I studied', 'text: “I studied'),
    'text: I studied',
    'text begins with a quotation mark',
  ],
  [
    'an accreditor’s page without https',
    'site.yaml',
    (text) => text.replace('since: 1998', 'url: ftp://gpcc.example'),
    'since:',
    'url is not an address with https://$',
  ],
  [
    'a fact that denies to be invented',
    'site.yaml',
    (text) => text.replace('\n  demo: true', '\n  demo: no'),
    '  demo:',
    'demo is not true: leave it out for a fact of your own$',
  ],
  [
    'a picture’s focus that is no point',
    'business.yaml',
    (text) => text.replace('# Describes', 'picture-focus: left # Describes'),
    '# Describes',
    "picture-focus is not a point: write it like '38% 40%', from the left and from the top$",
  ],
  [
    'a picture’s focus outside of the picture',
    'business.yaml',
    (text) => text.replace('# Describes', 'picture-focus: 38% 101% # Describes'),
    '# Describes',
    'picture-focus is not a point',
  ],
  [
    'HTML',
    'business.yaml',
    (text) => text.replace('headline: Start', 'headline: <script>alert(1)</script> Start'),
    'headline:',
    'headline has HTML in it',
  ],
  [
    'a link to nowhere',
    'site.yaml',
    (text) => text.replace('(/information/privacy-policy)', '(/privacy)'),
    'disclosure:',
    'disclosure has a link to \\/privacy: there is no such page$',
  ],
  [
    'a link that is a script',
    'site.yaml',
    (text) => text.replace('(/information/privacy-policy)', '(javascript:alert`1`)'),
    'disclosure:',
    'disclosure has a link to javascript:',
  ],
  [
    'a disclosure that covers something unknown',
    'site.yaml',
    (text) => text.replace('covers: [email]', 'covers: [email, fax]'),
    'disclosure-covers:',
    'disclosure-covers has fax: use only email, phone, text$',
  ],
  [
    'a disclosure that covers one way twice',
    'site.yaml',
    (text) => text.replace('covers: [email]', 'covers: [phone, phone]'),
    'disclosure-covers:',
    'disclosure-covers names a way twice$',
  ],
  [
    'a disclosure that covers nothing',
    'site.yaml',
    (text) => text.replace('covers: [email]', 'covers: []'),
    'disclosure-covers:',
    'disclosure-covers has 0: give at least 1$',
  ],
  [
    'a link with a tab, which browsers would remove',
    'privacy-policy.md',
    (text) => text.replace('(#sharing)', '(<https://a.example/b\tc>)'),
    '(#sharing)',
    'there is no page at https:',
  ],
  [
    'a section of a legal page that is missing',
    'privacy-policy.md',
    (text) => text.replace('{#sharing}', '{#partners}'),
    '(#sharing)',
    'there is no page at #sharing$',
  ],
  [
    'HTML in a legal page',
    'terms-conditions.md',
    (text) =>
      text.replace('Enter only true information', '<b onclick="x()">What</b> you enter must'),
    'Enter only true information',
    'html is not shown: pages show only',
  ],
  [
    'a script in a legal page',
    'terms-conditions.md',
    (text) =>
      text.replace(
        'Enter only true information',
        '<script>\nalert(1)\n</script>\n\nEnter only true information',
      ),
    'Enter only true information',
    'html is not shown: pages show only',
  ],
  [
    'a picture in a legal page',
    'terms-conditions.md',
    (text) => text.replace('Enter only true information', '![x](https://a.example/x.png) must'),
    'Enter only true information',
    'image is not shown',
  ],
  [
    'a heading without its address',
    'terms-conditions.md',
    (text) => text.replace(' {#acceptable-use}', ''),
    '{#acceptable-use}',
    'a heading ends with its anchor',
  ],
])('the fault of %s names its line', (_, file, edit, place, fault) => {
  const faults = faultsAfter(file, edit)
  for (const one of faults) expect(one).toMatch(/^content\/[\w-]+\.\w+, line \d+: /)
  const found = faults.map((one) => one.replace(`content/${file}, line `, ''))
  const wanted = new RegExp(`^${lineOf(file, place)}: ${fault}`)
  expect(found).toContainEqual(expect.stringMatching(wanted))
})

test('production refuses each invented fact, and names its line', () => {
  const read = readContent(contentFolder, 'production')
  const facts = ['accreditor', 'telephone', 'response-time', 'quote', 'mentors', 'licensing']
  const lines = readFileSync(join(contentFolder, 'site.yaml'), 'utf8').split('\n')
  const wanted = facts.map((fact) => {
    const line = lines.indexOf('  demo: true', lines.indexOf(`${fact}:`)) + 1
    return expect.stringMatching(
      `^content/site\\.yaml, line ${line}: demo is true: the fact ${fact} is invented, and production does not start`,
    )
  })
  expect(read).toEqual({ ok: false, faults: expect.arrayContaining(wanted) })
})

test('without facts of the school, the texts are valid and leave no gap', () => {
  const files = ['site', 'general', 'business', 'education', 'healthcare', 'technology']
  const folder = edited(
    Object.fromEntries(files.map((file) => [`${file}.yaml`, removeInventedFacts])),
  )
  const read = readContent(folder, 'production')
  expect(read).toMatchObject({
    ok: true,
    texts: {
      areas: {
        business: {
          quote: undefined,
          reasons: [{}, {}, {}, { text: 'When the books close, coursework has to wait.' }],
        },
        healthcare: {
          reasons: [
            {},
            {},
            {
              text: 'What employers say is one thing. Your board’s license is another, with rules of its own.',
            },
            {},
          ],
        },
      },
      shared: {
        telephone: undefined,
        responseTime: undefined,
        questions: [
          {},
          {
            answer: { html: expect.stringMatching(/ may call or email you about your request\.$/) },
          },
          {},
          {},
          {},
        ],
      },
    },
  })
  expect(read.ok && read.texts.shared.accreditor).toBeUndefined()
})

test('every fault of every file is listed at once', () => {
  const folder = edited({
    'site.yaml': (text) => text.replace('source: stated by the school', 'note: x'),
    'business.yaml': (text) => text.replace('#68c2b8', '#000000').replace('{tuition}', '{price}'),
    'privacy-policy.md': (text) => text.replace('{retention}', ''),
  })
  rmSync(join(folder, 'healthcare.yaml'))
  const faults = faultsOf(folder)
  expect(faults.map((fault) => fault.replace(/, line.*|: .*/, ''))).toEqual(
    expect.arrayContaining([
      'content/site.yaml',
      'content/business.yaml',
      'content/privacy-policy.md',
      'content/healthcare.yaml',
    ]),
  )
  expect(faults).toContain('content/healthcare.yaml: the file is missing')
  expect(faults.join('\n')).toContain('{retention} is missing')
})

test('a missing folder is a fault for each of its files', () => {
  expect(faultsOf('no/such/folder')).toContain('content/site.yaml: the file is missing')
})

test('the fault of a text that is not UTF-8 names the line', () => {
  const latin = (text: string) => Buffer.from(text.replace('Business', 'Négocios'), 'latin1')
  const [first] = faultsAfter('business.yaml', latin)
  expect(first).toMatch(/^content\/business\.yaml, line 2: a character is not UTF-8/)
})

test('the fault names an unreadable accent, not the colors derived from it', () => {
  const faults = faultsAfter('business.yaml', (text) =>
    text.replace(/colors:(\n {2}.*)+/, "colors:\n  accent: '#ffee00'"),
  )
  expect(faults).not.toEqual([])
  for (const fault of faults) expect(fault).toMatch(/, line 11: accent is hard to read: /)
})

test('colors derived from the accent are readable', () => {
  for (const accent of ['#1d4f91', '#8a3d12', '#5b2a86', '#0b6e4f', '#b00020', '#333333']) {
    const folder = edited({
      'business.yaml': (text) =>
        text.replace(/colors:\n(?: {2}.*\n)+/, `colors:\n  accent: '${accent}'\n`),
    })
    expect(faultsOf(folder), accent).toEqual([])
  }
})

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20"><path d="M0 0h80v20z"/></svg>'
const withLogo = (text: string) =>
  text.replace(
    /# logo:\n# {3}file: logo.svg\n# {3}has-name: no/,
    'logo:\n  file: logo.svg\n  has-name: yes',
  )

test('a logo becomes part of the pages, without a script of its own', () => {
  const folder = edited({ 'site.yaml': withLogo })
  writeFileSync(join(folder, 'logo.svg'), svg)
  const read = readContent(folder, 'demo')
  expect(read).toMatchObject({
    texts: { shared: { logo: { width: 80, height: 20, hasName: true } } },
  })
  const src = (read.ok && read.texts.shared.logo?.src) || ''
  expect(decodeURIComponent(src)).toBe(`data:image/svg+xml,${svg}`)
})

test.each([
  ['is missing', undefined, /logo\.svg cannot be read from content\/ \(ENOENT\)$/],
  ['is no picture', 'no picture', /cannot be shown: use an SVG, PNG or WebP/],
  ['is too heavy for every page', svg.replace('h80', ' '.repeat(3000)), /there is room for 3000/],
])('a logo that %s is a fault', (_, content, fault) => {
  const folder = edited({ 'site.yaml': withLogo })
  if (content !== undefined) writeFileSync(join(folder, 'logo.svg'), content)
  expect(faultsOf(folder)).toEqual([expect.stringMatching(fault)])
  expect(faultsOf(folder)[0]).toMatch(/^content\/site\.yaml, line \d+: /)
})

test('the proof of consent says where links lead, except to this site’s own policy', () => {
  const readText = (folder: string) => {
    const read = readContent(folder, 'demo')
    return read.ok ? read.texts.shared.disclosure.text : undefined
  }
  expect(readText(contentFolder)).toContain('agree to its privacy policy. I may')
  const target = 'https://www.example.edu/privacy'
  const other = edited({
    'site.yaml': (text) => text.replace('(/information/privacy-policy)', `(${target})`),
  })
  expect(readText(other)).toContain(`agree to its privacy policy (${target}). I may`)
})
