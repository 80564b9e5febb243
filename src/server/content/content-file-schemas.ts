import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { imageSize } from 'image-size'
import * as v from 'valibot'
import { consentButtonLabel } from '#content/first-script-texts.ts'
import type {
  AreaTexts,
  Disclosure,
  Html,
  Logo,
  Picture,
  SchoolFacts,
  SharedTexts,
  SourcedFigure,
} from '#content/site-texts.ts'
import { consentChannels, replacePlaceholders, specifiedDisclosure } from '#content/site-texts.ts'
import { areaColorsSchema } from './area-colors-schema.ts'
import { parseInlineMarkdown } from './parse-markdown.ts'
import { makeLineSchema, makeListSchema } from './parse-yaml.ts'
import { isAllowedLink, linkPlaceholders, organizationPlaceholders } from './placeholders.ts'
import {
  type ContentMode,
  makeQuoteSchema,
  makeSchoolFactSchemas,
  makeSentencesSchema,
} from './school-facts-schema.ts'

/** The figures that pages may state, by name. A page's text refers to a figure by its name in braces. */
type FiguresByName = Readonly<Record<string, SourcedFigure>>

const claims = v.record(
  v.pipe(
    v.string(),
    v.regex(/^[a-z]+(-[a-z]+)*$/, 'is not a name: use only small letters and dashes'),
  ),
  v.strictObject({
    figure: makeLineSchema(8),
    label: makeLineSchema(32),
    text: makeLineSchema(60),
    source: makeLineSchema(200),
    checked: v.pipe(v.string(), v.isoDate('is not a day: write it like 2026-11-21')),
  }),
  'needs its parts, each on its own line below it',
)

/** The point of a photograph that every crop shows: its distances from the left and upper edge. */
const pictureFocus = v.pipe(
  v.string(),
  v.regex(
    /^(\d\d?|100)% (\d\d?|100)%$/,
    "is not a point: write it like '38% 40%', from the left and from the top",
  ),
)

interface SiteFile {
  readonly claims: FiguresByName
  readonly shared: SharedTexts
}

/** The placeholders that stand for sentences about the school; a fact that the school has not given leaves no trace. */
const factPlaceholders = ['accreditation', 'mentors', 'licensing']

/**
 * Makes the schema of `content/<area>.yaml`, the texts of an area's page.
 * @param site the texts of `content/site.yaml`; undefined if that file has faults, so that names cannot be checked
 * @param raw the content of the area's file before validation, which may define figures of its own
 */
export function makeAreaFileSchema(site: SiteFile | undefined, raw: unknown, mode: ContentMode) {
  const own = (raw as { readonly claims?: object }).claims ?? {}
  const names = site && Object.keys({ ...site.claims, ...own })
  const known = (...others: readonly string[]) => (names ? [...others, ...names] : null)
  return v.pipe(
    v.strictObject({
      name: makeLineSchema(24),
      title: makeLineSchema(70),
      headline: makeLineSchema(60),
      lead: makeLineSchema(160, known(...organizationPlaceholders)),
      picture: makeLineSchema(125),
      'picture-focus': v.optional(pictureFocus),
      colors: areaColorsSchema,
      claims: v.optional(claims, {}),
      facts: v.optional(makeListSchema(makeLineSchema(60, known('programs')), 1, 3), []),
      figures: makeListSchema(
        v.pipe(
          makeLineSchema(40),
          v.check(
            (name) => names?.includes(name) ?? true,
            ({ input }) => `has ${input}, which is not a claim: use ${names?.join(', ')}`,
          ),
        ),
        2,
        4,
      ),
      reasons: makeListSchema(
        v.strictObject({
          topic: makeLineSchema(24),
          heading: makeLineSchema(40),
          text: makeLineSchema(280, known(...organizationPlaceholders, ...factPlaceholders)),
        }),
        2,
        4,
      ),
      quote: v.optional(makeQuoteSchema(mode)),
      mentors: v.optional(makeSentencesSchema('mentors', mode)),
      licensing: v.optional(makeSentencesSchema('licensing', mode)),
    }),
    v.transform(
      ({
        claims: own,
        'picture-focus': pictureFocus,
        mentors,
        licensing,
        quote,
        ...file
      }): AreaTexts => {
        const claims: FiguresByName = { ...site?.claims, ...own }
        const texts = Object.fromEntries(
          Object.entries(claims).map(([name, { text }]) => [name, text]),
        )
        const facts = {
          accreditation: describeAccreditation(site?.shared.accreditor),
          mentors: mentors ?? site?.shared.mentors ?? '',
          licensing: licensing ?? site?.shared.licensing ?? '',
        }
        return {
          ...file,
          pictureFocus,
          quote: quote ?? site?.shared.quote,
          lead: replacePlaceholders(file.lead, texts),
          facts: file.facts.map((fact) => replacePlaceholders(fact, texts)),
          figures: file.figures.flatMap((name) => claims[name] ?? []),
          reasons: file.reasons.map((reason) => ({
            ...reason,
            text: replacePlaceholders(reason.text, { ...texts, ...facts })
              .replaceAll(/ +/g, ' ')
              .trim(),
          })),
        }
      },
    ),
  )
}

const describeAccreditation = (accreditor: SchoolFacts['accreditor']): string =>
  accreditor === undefined
    ? ''
    : `Accredited by ${accreditor.name}${accreditor.since ? ` since ${accreditor.since}` : ''}.`

/** Makes the schema of a line that may contain links and strong text. */
const makeInlineMarkdownSchema = (max: number) =>
  v.pipe(
    makeLineSchema(max, ['button', ...organizationPlaceholders, ...linkPlaceholders]),
    v.rawTransform(({ dataset, addIssue }): Html => {
      const { html, links, faults } = parseInlineMarkdown(
        replacePlaceholders(dataset.value, { button: consentButtonLabel }),
        0,
      )
      for (const { message } of faults) addIssue({ message: `has a fault: ${message}` })
      for (const { href } of links) {
        if (!isAllowedLink(href))
          addIssue({ message: `has a link to ${href}: there is no such page` })
      }
      return { html }
    }),
  )

/** The disclosure. Without its HTML, it is the text that a visitor reads, which becomes the proof of consent. */
const disclosure = v.pipe(
  makeInlineMarkdownSchema(1200),
  v.transform(({ html }): Disclosure => ({ html, text: toPlainText(html) })),
)

const htmlCharacters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

const toPlainText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => htmlCharacters[entity] ?? entity)

const channelList = consentChannels.join(', ')

const disclosureCovers = v.pipe(
  makeListSchema(
    v.picklist(consentChannels, ({ input }) => `has ${input}: use only ${channelList}`),
    1,
    consentChannels.length,
  ),
  v.check((channels) => new Set(channels).size === channels.length, 'names a way twice'),
)

/** Makes the schema of `content/site.yaml`, whose texts all pages share. @param folder the logo's folder */
export const makeSiteFileSchema = (folder: string, mode: ContentMode) =>
  v.pipe(
    v.strictObject({
      ...makeSchoolFactSchemas(mode, makePictureFileSchema(folder)),
      logo: v.optional(
        v.pipe(
          v.strictObject({
            file: makePictureFileSchema(folder),
            'has-name': v.optional(v.picklist(['yes', 'no'], 'is neither yes nor no'), 'no'),
          }),
          v.transform(
            ({ file, 'has-name': hasName }): Logo => ({ ...file, hasName: hasName === 'yes' }),
          ),
        ),
      ),
      claims,
      headings: v.strictObject({
        figures: makeLineSchema(40),
        areas: makeLineSchema(40),
        programs: makeLineSchema(40, ['area']),
        reasons: makeLineSchema(40),
        questions: makeLineSchema(40),
      }),
      'figures-note': makeLineSchema(120),
      'chosen-lead': makeLineSchema(120, ['program', ...organizationPlaceholders]),
      promise: makeInlineMarkdownSchema(200),
      disclosure: v.optional(disclosure, specifiedDisclosure),
      'disclosure-covers': v.optional(disclosureCovers, ['email']),
      questions: makeListSchema(
        v.strictObject({
          question: makeLineSchema(70, organizationPlaceholders),
          answer: makeInlineMarkdownSchema(480),
        }),
        1,
        8,
      ),
    }),
    v.transform(
      ({
        claims,
        'figures-note': figuresNote,
        'chosen-lead': chosenLead,
        'response-time': responseTime,
        'disclosure-covers': disclosureCovers,
        ...same
      }): SiteFile => ({
        claims,
        shared: {
          logo: undefined,
          accreditor: undefined,
          telephone: undefined,
          quote: undefined,
          mentors: undefined,
          licensing: undefined,
          ...same,
          figuresNote,
          chosenLead,
          responseTime,
          disclosureCovers,
        },
      }),
    ),
  )

/** The maximum size of a logo: each page contains the logo and should still fit into a connection's first packets. */
const maxLogoBytes = 3000

const logoTypes: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
}

/** Pages show a logo as an image, in which browsers run no scripts and load no other files. */
const makePictureFileSchema = (folder: string) =>
  v.pipe(
    makeLineSchema(80),
    v.rawTransform(({ dataset, addIssue, NEVER }): Picture => {
      const refuse = (message: string) => {
        addIssue({ message: `${dataset.value} ${message}` })
        return NEVER
      }
      let bytes: Buffer
      try {
        bytes = readFileSync(join(folder, basename(dataset.value)))
      } catch (error) {
        return refuse(`cannot be read from content/ (${(error as NodeJS.ErrnoException).code})`)
      }
      if (bytes.length > maxLogoBytes) {
        return refuse(
          `has ${bytes.length} bytes: there is room for ${maxLogoBytes}, because each page contains it`,
        )
      }
      const size = readImageSize(bytes)
      const type = logoTypes[size?.type ?? '']
      if (size === undefined || type === undefined) {
        return refuse('cannot be shown: use an SVG, PNG or WebP with its width and height')
      }
      const { width, height } = size
      return { src: toDataUrl(type, bytes), width, height }
    }),
  )

function readImageSize(bytes: Uint8Array) {
  try {
    return imageSize(bytes)
  } catch {
    return undefined
  }
}

/** Makes a data URL. An SVG stays text, because text compresses better than base64. */
const toDataUrl = (type: string, bytes: Buffer): string =>
  type === 'image/svg+xml'
    ? `data:${type},${encodeURIComponent(bytes.toString()).replaceAll('%20', ' ').replaceAll('%3D', '=')}`
    : `data:${type};base64,${bytes.toString('base64')}`
