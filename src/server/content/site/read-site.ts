import { fillIn } from '#content/fill-in.ts'
import type { Inline } from '#content/inline.ts'
import { lastButton } from '#content/last-button.ts'
import type { SharedWords } from '#content/site-words.ts'
import type { ReadPart } from '../area/read-area.ts'
import type { Claims } from '../claims.ts'
import { isKnownLink } from '../known-link.ts'
import { linkNames, nameplates, strangePlaceholders, textsIn } from '../placeholders.ts'
import { readInline } from '../read-markdown.ts'
import { type LineFault, readYaml } from '../read-yaml.ts'
import { siteFile } from './site-file.ts'

type WithoutLogo = Omit<SharedWords, 'logo'>

export interface ReadSite extends ReadPart<WithoutLogo> {
  readonly claims: Claims | undefined
  /** As the file names it. */
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
