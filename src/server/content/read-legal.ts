import * as v from 'valibot'
import type { Block, LegalPage, LegalPath, LegalSection } from '#content/site-words.ts'
import { isKnownLink, linkNames, nameplates, strangePlaceholders } from './placeholders.ts'
import type { ReadPart } from './read-area.ts'
import { readMarkdown } from './read-markdown.ts'
import { type LineFault, line, readYaml } from './read-yaml.ts'

const frontMatter = v.strictObject({
  title: line(40),
  description: line(160),
  'last-updated': v.optional(line(20)),
})

/** The facts about the product that the policy states and only the product knows. */
const facts = ['retention', 'cookie-count', 'token-cookies', 'affiliate-cookie', 'received-cookie']

interface Required {
  /** Where other pages, and the form, lead to; and what the specification lists. */
  readonly sections: readonly string[]
  readonly placeholders: readonly string[]
}

const required: Readonly<Record<LegalPath, Required>> = {
  '/information/privacy-policy': {
    sections: [
      'information-collected',
      'uses',
      'cookies',
      'sharing',
      'protection',
      'california-notice',
      'changes',
      'contact',
    ],
    placeholders: ['operator', 'privacy-email', 'unsubscribe-form', ...facts],
  },
  '/information/terms-conditions': {
    sections: [
      'eligibility',
      'service',
      'purchases',
      'electronic-signature',
      'notices',
      'arbitration',
      'governing-law',
    ],
    placeholders: ['operator', 'privacy-email'],
  },
  '/information/privacy-rights-request': {
    sections: ['how-to-ask', 'good-to-know'],
    placeholders: ['operator', 'privacy-email'],
  },
}

const known = [...nameplates, ...linkNames, ...facts]

/** Reads a legal page: Markdown below its title and description. */
export function readLegal(text: string, path: LegalPath): ReadPart<LegalPage> {
  const [whole = '', head] = /^---\n(.*?)^---$/ms.exec(text) ?? []
  if (head === undefined || !text.startsWith('---\n')) {
    const message = 'the file begins with ---, then its title and description, then --- again'
    return { value: undefined, faults: [{ line: 1, message }] }
  }
  const front = readYaml(head, frontMatter, 1)
  const { parts, links, faults: found } = readMarkdown(text.slice(whole.length), linesIn(whole))
  const faults: LineFault[] = [...front.faults, ...found]

  for (const [index, content] of text.split('\n').entries()) {
    // `{#…}` is a heading's anchor.
    const strange = strangePlaceholders(content.replaceAll(/\{#[^{}]*\}/g, ''), known)
    faults.push(...strange.map((message) => ({ line: index + 1, message })))
  }
  const { introduction, sections, headingFaults } = sectionsOf(parts)
  faults.push(...headingFaults)
  const ids = sections.map(({ id }) => id)
  for (const { line, href } of links) {
    if (!isKnownLink(href, ids))
      faults.push({ line, message: `there is no page or place at ${href}` })
  }
  const end = linesIn(text)
  for (const id of required[path].sections) {
    if (!ids.includes(id)) {
      const message = `the section {#${id}} is missing: it has to be on this page, under a heading of your own`
      faults.push({ line: end, message })
    }
  }
  for (const name of required[path].placeholders) {
    if (!text.includes(`{${name}}`)) {
      faults.push({ line: end, message: `{${name}} stands nowhere on this page, and has to` })
    }
  }
  if (front.value === undefined) return { value: undefined, faults }
  const { title, description, 'last-updated': lastUpdated } = front.value
  return { value: { title, description, lastUpdated, introduction, sections }, faults }
}

/** The text before the first heading, and the sections below each. */
function sectionsOf(parts: ReturnType<typeof readMarkdown>['parts']) {
  const introduction: Block[] = []
  const sections: (LegalSection & { blocks: Block[]; line: number })[] = []
  for (const part of parts) {
    if ('block' in part) (sections.at(-1)?.blocks ?? introduction).push(part.block)
    else {
      sections.push({ ...headingAndAddress(part.heading), blocks: [], line: part.line })
    }
  }
  const headingFaults = sections.flatMap(({ heading, id, blocks, line }, index): LineFault[] => [
    ...(/^[a-z]+(-[a-z]+)*$/.test(id)
      ? []
      : [
          {
            line,
            message: 'a heading ends with its address, in small letters: ## Cookies {#cookies}',
          },
        ]),
    ...(sections.findIndex((other) => other.id === id) < index
      ? [{ line, message: `{#${id}} stands twice` }]
      : []),
    ...(heading === '' || heading.length > 70
      ? [{ line, message: 'a heading has 1 to 70 characters' }]
      : []),
    ...(blocks.length === 0 ? [{ line, message: 'nothing stands below this heading' }] : []),
  ])
  const withoutLines = sections.map(({ heading, id, blocks }) => ({ heading, id, blocks }))
  return { introduction, sections: withoutLines, headingFaults }
}

/** @param line such as `Cookies {#cookies}` */
function headingAndAddress(line: string): { heading: string; id: string } {
  const at = line.endsWith('}') ? line.lastIndexOf('{#') : -1
  return at < 0
    ? { heading: line, id: '' }
    : { heading: line.slice(0, at).trimEnd(), id: line.slice(at + 2, -1) }
}

const linesIn = (text: string): number => text.split('\n').length - 1
