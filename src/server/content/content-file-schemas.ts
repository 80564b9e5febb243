import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { imageSize } from 'image-size'
import * as v from 'valibot'
import { consentButtonLabel } from '#content/first-script-texts.ts'
import {
  type AreaTexts,
  consentChannels,
  type Disclosure,
  type Html,
  type Logo,
  legalPaths,
  type Picture,
  replacePlaceholders,
  type SchoolFacts,
  type SharedTexts,
  type SourcedFigure,
  specifiedDisclosure,
  type Telephone,
} from '#content/site-texts.ts'
import { areaColorsSchema } from './area-colors-schema.ts'
import { parseInlineMarkdown, toPlainText } from './parse-markdown.ts'
import { makeLineSchema, makeListSchema } from './parse-yaml.ts'
import {
  escapeValues,
  isAllowedLink,
  linkPlaceholders,
  organizationPlaceholders,
} from './placeholders.ts'
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
    before: v.optional(makeLineSchema(12)),
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

/** Returns the claims in a file before its validation. A claim may lack any of its parts. */
const readRawClaims = (raw: unknown): FiguresByName =>
  (raw as { readonly claims?: FiguresByName }).claims ?? {}

/**
 * Makes the schema of a line that may state claims.
 * @param claims the page's claims; undefined if they have faults, so that placeholders cannot be checked
 * @param others further placeholders
 */
const makeClaimLineSchema = (
  max: number,
  claims: FiguresByName | undefined,
  others: readonly string[] = [],
) => makeLineSchema(max, claims ? [...others, ...Object.keys(claims)] : null)

const listClaimTexts = (claims: FiguresByName): Record<string, string> =>
  Object.fromEntries(Object.entries(claims).map(([name, { text }]) => [name, text]))

/**
 * Makes the schema of `content/<area>.yaml`, the texts of an area's page.
 * @param site the texts of `content/site.yaml`; undefined if that file has faults, so that names cannot be checked
 * @param raw the content of the area's file before validation, which may define figures of its own
 */
export function makeAreaFileSchema(site: SiteFile | undefined, raw: unknown, mode: ContentMode) {
  const claimsOfPage = site && { ...site.claims, ...readRawClaims(raw) }
  const names = claimsOfPage && Object.keys(claimsOfPage)
  return v.pipe(
    v.strictObject({
      name: makeLineSchema(24),
      title: makeLineSchema(70),
      headline: makeLineSchema(60),
      lead: makeClaimLineSchema(160, claimsOfPage, organizationPlaceholders),
      picture: makeLineSchema(125),
      'picture-focus': v.optional(pictureFocus),
      colors: areaColorsSchema,
      claims: v.optional(claims, {}),
      facts: v.optional(
        makeListSchema(makeClaimLineSchema(60, claimsOfPage, ['programs']), 1, 3),
        [],
      ),
      reasons: makeListSchema(
        v.strictObject({
          topic: makeLineSchema(24),
          figure: v.optional(
            v.pipe(
              makeLineSchema(40),
              v.check(
                (name) => names?.includes(name) ?? true,
                ({ input }) => `is ${input}, which is not a claim: use ${names?.join(', ')}`,
              ),
            ),
          ),
          heading: makeLineSchema(44),
          text: makeClaimLineSchema(280, claimsOfPage, [
            ...organizationPlaceholders,
            ...factPlaceholders,
          ]),
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
        const texts = listClaimTexts(claims)
        const sentences = {
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
          reasons: file.reasons.map(({ figure, ...reason }) => ({
            ...reason,
            figure: figure === undefined ? undefined : claims[figure],
            text: closeUp(replacePlaceholders(reason.text, { ...texts, ...sentences })),
          })),
        }
      },
    ),
  )
}

const closeUp = (text: string): string => text.replaceAll(/ +/g, ' ').trim()

const describeAccreditation = (accreditor: SchoolFacts['accreditor']): string => {
  if (accreditor === undefined) return ''
  const { name, since } = accreditor
  return since
    ? `{school} has been accredited by ${name} since ${since}.`
    : `{school} is accredited by ${name}.`
}

const describeTelephone = ({ number, href, hours }: Telephone): string => {
  const when = hours === undefined ? '' : `, ${escapeValues({ hours }).hours}`
  return `Would you rather call? <a href="${href}">${number}</a>${when.replace(/\.$/, '')}.`
}

/**
 * Makes the schema of a line that may contain links and strong text.
 * @param line the schema of the text as the operator writes it
 */
const makeInlineMarkdownSchema = (line: v.GenericSchema<string, string>) =>
  v.pipe(
    line,
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

const markdownPlaceholders = ['button', ...organizationPlaceholders, ...linkPlaceholders]

/** Names links' targets in the text, but not this site's own policy, so that the specification's text stays as it was. */
const nameTargets = (html: string): string =>
  html.replaceAll(
    /<a href="([^"<]*)"[^<>]*>((?:[^<]|<(?!\/?a\b))*)<\/a>/g,
    (_, href: string, text: string) => (href === legalPaths[0] ? text : `${text} (${href})`),
  )

/** The disclosure, also as the text that becomes the proof of consent: what a visitor reads, and where links lead. */
const disclosure = v.pipe(
  makeInlineMarkdownSchema(makeLineSchema(1200, markdownPlaceholders)),
  v.transform(({ html }): Disclosure => ({ html, text: toPlainText(nameTargets(html)) })),
)

const channelList = consentChannels.join(', ')

const disclosureCovers = v.pipe(
  makeListSchema(
    v.picklist(consentChannels, ({ input }) => `has ${input}: use only ${channelList}`),
    1,
    consentChannels.length,
  ),
  v.check((channels) => new Set(channels).size === channels.length, 'names a way twice'),
)

/**
 * Makes the schema of `content/site.yaml`, whose texts all pages share.
 * @param folder the folder of the logos
 * @param raw the file's content before validation, whose claims the answers may state
 */
export const makeSiteFileSchema = (folder: string, raw: unknown, mode: ContentMode) =>
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
        areas: makeLineSchema(40),
        programs: makeLineSchema(40, ['area']),
        reasons: makeLineSchema(40),
        questions: makeLineSchema(40),
      }),
      'figures-note': makeLineSchema(120),
      'chosen-lead': makeLineSchema(120, ['program', ...organizationPlaceholders]),
      promise: makeInlineMarkdownSchema(makeLineSchema(200, markdownPlaceholders)),
      disclosure: v.optional(disclosure, specifiedDisclosure),
      'disclosure-covers': v.optional(disclosureCovers, ['email']),
      questions: makeListSchema(
        v.strictObject({
          question: makeLineSchema(70, organizationPlaceholders),
          answer: makeInlineMarkdownSchema(
            makeClaimLineSchema(480, readRawClaims(raw), [
              ...markdownPlaceholders,
              'response-time',
              'telephone',
            ]),
          ),
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
        telephone,
        questions,
        ...same
      }): SiteFile => ({
        claims,
        shared: {
          ...same,
          telephone,
          figuresNote,
          chosenLead,
          responseTime,
          disclosureCovers,
          questions: questions.map(({ question, answer }) => ({
            question,
            answer: {
              html: closeUp(
                replacePlaceholders(answer.html, {
                  ...escapeValues(listClaimTexts(claims)),
                  'response-time': responseTime
                    ? `The school aims to answer within ${responseTime}.`
                    : '',
                  telephone: telephone ? describeTelephone(telephone) : '',
                }),
              ),
            },
          })),
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
