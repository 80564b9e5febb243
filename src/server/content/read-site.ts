import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { imageSize } from 'image-size'
import * as v from 'valibot'
import { fillIn } from '#content/fill-in.ts'
import { lastButton } from '#content/fresh-form.ts'
import type { Inline, Logo, SharedWords } from '#content/site-words.ts'
import { isKnownLink, linkNames, nameplates, strangePlaceholders, textsIn } from './placeholders.ts'
import type { ReadPart } from './read-area.ts'
import { readInline } from './read-markdown.ts'
import { day, type LineFault, line, listOf, readYaml } from './read-yaml.ts'

/** By name: what the school says of itself. A sentence has it as `{name}`. */
export const claims = v.record(
  v.pipe(v.string(), v.regex(/^[a-z]+(-[a-z]+)*$/, 'is no name: small letters and dashes alone')),
  v.strictObject({
    figure: line(8),
    label: line(32),
    text: line(60),
    source: line(200),
    checked: day,
  }),
)

export type Claims = v.InferOutput<typeof claims>

/** The texts and pictures that all pages share: `content/site.yaml`. */
export const siteFile = v.strictObject({
  logo: v.optional(
    v.strictObject({
      file: line(80),
      'has-name': v.optional(v.picklist(['yes', 'no'], 'is neither yes nor no'), 'no'),
    }),
  ),
  claims,
  headings: v.strictObject({
    figures: line(40),
    areas: line(40),
    programs: line(40),
    reasons: line(40),
    questions: line(40),
  }),
  'figures-note': line(120),
  'chosen-lead': line(120),
  promise: line(200),
  questions: listOf(v.strictObject({ question: line(70), answer: line(480) }), 1, 8),
})

/** Every page contains it, so that it arrives in a visitor's first flight. */
const mostBytes = 3000

const types: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
}

/** Reads the operator's logo: shown as an image, in which no script runs and which fetches nothing. */
export function readLogo(
  folder: string,
  file: string,
  hasName: boolean,
): { readonly value: Logo } | { readonly fault: string } {
  if (basename(file) !== file) return { fault: `${file} has to lie in content/ itself` }
  let bytes: Buffer
  try {
    bytes = readFileSync(join(folder, file))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { fault: `there is no ${file} in content/` }
    return { fault: `${file} cannot be read (${code})` }
  }
  if (bytes.length > mostBytes) {
    return {
      fault: `${file} has ${bytes.length} bytes: there is room for ${mostBytes} in each page`,
    }
  }
  const size = sizeOf(bytes)
  const type = types[size?.type ?? '']
  if (size === undefined || type === undefined) {
    return {
      fault: `${file} is no picture that can be shown: SVG, PNG or WebP, with its width and height`,
    }
  }
  const { width, height } = size
  if (width > height * 6 || height > width * 1.5) {
    return { fault: `${file} is ${width} × ${height}: there is room for six times as wide as high` }
  }
  return { value: { src: dataAddress(type, bytes), width, height, hasName } }
}

function sizeOf(bytes: Uint8Array) {
  try {
    return imageSize(bytes)
  } catch {
    return undefined
  }
}

/** Text stays text: a page is compressed, and base64 hardly compresses. */
const dataAddress = (type: string, bytes: Buffer): string =>
  type === 'image/svg+xml'
    ? `data:${type},${encodeURIComponent(bytes.toString()).replaceAll('%20', ' ').replaceAll('%3D', '=')}`
    : `data:${type};base64,${bytes.toString('base64')}`

type WithoutLogo = Omit<SharedWords, 'logo'>

export interface ReadSite extends ReadPart<WithoutLogo> {
  readonly claims: Claims | undefined
  /** The name in the file. */
  readonly logo:
    | { readonly file: string; readonly hasName: boolean; readonly line: number }
    | undefined
}

/** Reads what all landing pages share. */
export function readSite(text: string): ReadSite {
  const read = readYaml(text, siteFile)
  if (read.value === undefined) return { ...read, claims: undefined, logo: undefined }
  const { value: file, lineOf } = read
  const faults: LineFault[] = []
  for (const { path, text } of textsIn(file)) {
    const strange = strangePlaceholders(text, knownAt(path))
    faults.push(...strange.map((message) => ({ line: lineOf(path), message })))
  }
  const inline = (text: string, path: readonly (string | number)[]): readonly Inline[] => {
    const line = lineOf(path)
    const read = readInline(fillIn(text, { button: lastButton }), line)
    faults.push(...read.faults)
    for (const { href } of read.links) {
      if (!isKnownLink(href)) faults.push({ line, message: `there is no page at ${href}` })
    }
    return read.inline
  }
  const value: WithoutLogo = {
    headings: file.headings,
    figuresNote: file['figures-note'],
    chosenLead: file['chosen-lead'],
    promise: inline(file.promise, ['promise']),
    questions: file.questions.map(({ question, answer }, index) => ({
      question,
      answer: inline(answer, ['questions', index, 'answer']),
    })),
  }
  const logo = file.logo && {
    file: file.logo.file,
    hasName: file.logo['has-name'] === 'yes',
    line: lineOf(['logo', 'file']),
  }
  return { value, claims: file.claims, logo, faults }
}

function knownAt([first, second, third]: readonly (string | number)[]): readonly string[] {
  if (first === 'headings') return second === 'programs' ? ['area'] : []
  if (first === 'chosen-lead') return ['program', ...nameplates]
  if (first === 'promise') return ['button', ...nameplates, ...linkNames]
  if (first === 'questions') {
    return third === 'answer' ? ['button', ...nameplates, ...linkNames] : nameplates
  }
  return []
}
