import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { imageSize } from 'image-size'
import * as v from 'valibot'
import { fillIn } from '#content/fill-in.ts'
import { lastButton } from '#content/fresh-form.ts'
import type { AreaWords, Claim, Html, Logo, SharedWords } from '#content/site-words.ts'
import { areaColors } from './colors.ts'
import { isKnownLink, linkNames, settingNames } from './placeholders.ts'
import { readInline } from './read-markdown.ts'
import { line, listOf } from './read-yaml.ts'

/** The school's claims by name. A sentence refers to a claim as `{name}`. */
export type Claims = Readonly<Record<string, Claim>>

const claims = v.record(
  v.pipe(
    v.string(),
    v.regex(/^[a-z]+(-[a-z]+)*$/, 'is not a name: use small letters and dashes alone'),
  ),
  v.strictObject({
    figure: line(8),
    label: line(32),
    text: line(60),
    source: line(200),
    checked: v.pipe(v.string(), v.isoDate('is not a day: write it like 2026-11-21')),
  }),
  'has parts, each on a line of its own below it',
)

/**
 * The schema of one area's page: `content/<area>.yaml`.
 *
 * @param shared the claims of all pages; undefined if their file has faults: the names of claims are not checked then
 * @param raw the unparsed content of the area's file, which may have claims of its own
 */
export function areaFile(shared: Claims | undefined, raw: unknown) {
  const own = (raw as { readonly claims?: object }).claims ?? {}
  const names = shared && Object.keys({ ...shared, ...own })
  const known = (...others: readonly string[]) => (names ? [...others, ...names] : null)
  return v.pipe(
    v.strictObject({
      name: line(24),
      title: line(70),
      headline: line(60),
      lead: line(160, known(...settingNames)),
      picture: line(125),
      colors: areaColors,
      claims: v.optional(claims, {}),
      facts: v.optional(listOf(line(60, known('programs')), 1, 3), []),
      figures: listOf(
        v.pipe(
          line(40),
          v.check(
            (name) => names?.includes(name) ?? true,
            ({ input }) => `has ${input}, which is not a claim: use ${names?.join(', ')}`,
          ),
        ),
        2,
        4,
      ),
      reasons: listOf(
        v.strictObject({
          topic: line(24),
          heading: line(40),
          text: line(280, known(...settingNames)),
        }),
        2,
        4,
      ),
    }),
    v.transform(({ claims: own, ...file }): AreaWords => {
      const claims: Claims = { ...shared, ...own }
      const texts = Object.fromEntries(
        Object.entries(claims).map(([name, { text }]) => [name, text]),
      )
      return {
        ...file,
        lead: fillIn(file.lead, texts),
        facts: file.facts.map((fact) => fillIn(fact, texts)),
        figures: file.figures.flatMap((name) => claims[name] ?? []),
        reasons: file.reasons.map((reason) => ({ ...reason, text: fillIn(reason.text, texts) })),
      }
    }),
  )
}

/** A line that may contain links and strong text. */
const inline = (max: number) =>
  v.pipe(
    line(max, ['button', ...settingNames, ...linkNames]),
    v.rawTransform(({ dataset, addIssue }): Html => {
      const { html, links, faults } = readInline(fillIn(dataset.value, { button: lastButton }), 0)
      for (const { message } of faults) addIssue({ message: `has a fault: ${message}` })
      for (const { href } of links) {
        if (!isKnownLink(href))
          addIssue({ message: `has a link to ${href}: there is no such page` })
      }
      return { html }
    }),
  )

/**
 * The texts and pictures that all pages share: `content/site.yaml`.
 *
 * @param folder the folder of the logo
 */
export const siteFile = (folder: string) =>
  v.pipe(
    v.strictObject({
      logo: v.optional(
        v.pipe(
          v.strictObject({
            file: logoFile(folder),
            'has-name': v.optional(v.picklist(['yes', 'no'], 'is neither yes nor no'), 'no'),
          }),
          v.transform(
            ({ file, 'has-name': hasName }): Logo => ({ ...file, hasName: hasName === 'yes' }),
          ),
        ),
      ),
      claims,
      headings: v.strictObject({
        figures: line(40),
        areas: line(40),
        programs: line(40, ['area']),
        reasons: line(40),
        questions: line(40),
      }),
      'figures-note': line(120),
      'chosen-lead': line(120, ['program', ...settingNames]),
      promise: inline(200),
      questions: listOf(
        v.strictObject({ question: line(70, settingNames), answer: inline(480) }),
        1,
        8,
      ),
    }),
    v.transform(
      ({ claims, logo, 'figures-note': figuresNote, 'chosen-lead': chosenLead, ...same }) => ({
        claims,
        shared: { ...same, logo, figuresNote, chosenLead } satisfies SharedWords,
      }),
    ),
  )

/** The maximum size of the logo. Every page contains it, and should still arrive in the first packets of a connection. */
const maxLogoBytes = 3000

const logoTypes: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
}

/** The operator's logo. Pages show it as an image, so it can run no scripts and load nothing. */
const logoFile = (folder: string) =>
  v.pipe(
    line(80),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
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
        return refuse(`has ${bytes.length} bytes: there is room for ${maxLogoBytes} in each page`)
      }
      const size = sizeOf(bytes)
      const type = logoTypes[size?.type ?? '']
      if (size === undefined || type === undefined) {
        return refuse('cannot be shown: use an SVG, PNG or WebP with its width and height')
      }
      const { width, height } = size
      return { src: dataAddress(type, bytes), width, height }
    }),
  )

function sizeOf(bytes: Uint8Array) {
  try {
    return imageSize(bytes)
  } catch {
    return undefined
  }
}

/** An SVG is embedded as text because pages are compressed, and base64 hardly compresses. */
const dataAddress = (type: string, bytes: Buffer): string =>
  type === 'image/svg+xml'
    ? `data:${type},${encodeURIComponent(bytes.toString()).replaceAll('%20', ' ').replaceAll('%3D', '=')}`
    : `data:${type};base64,${bytes.toString('base64')}`
