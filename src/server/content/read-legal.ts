import * as v from 'valibot'
import type { LegalPage, LegalPath } from '#content/site-words.ts'
import { isKnownLink, linkNames, settingNames, unknownPlaceholders } from './placeholders.ts'
import { type MarkdownSection, readMarkdown } from './read-markdown.ts'
import { type LineFault, line, type ReadPart, readYaml } from './read-yaml.ts'

/** The facts about the product that the policy states and only the product knows. */
const facts = ['retention', 'cookie-count', 'token-cookies', 'affiliate-cookie', 'received-cookie']

const known = [...settingNames, ...linkNames, ...facts]

const frontMatter = v.strictObject({
  title: line(40, known),
  description: line(160, known),
  'last-updated': v.optional(line(20)),
})

/** The placeholders that a page must contain, so that it states the truth about this site. */
const required: Readonly<Record<LegalPath, readonly string[]>> = {
  '/information/privacy-policy': ['operator', 'privacy-email', 'unsubscribe-form', ...facts],
  '/information/terms-conditions': ['operator', 'privacy-email'],
  '/information/privacy-rights-request': ['operator', 'privacy-email'],
}

/** Reads a legal page: Markdown below its title and description. */
export function readLegal(text: string, path: LegalPath): ReadPart<LegalPage> {
  const [whole = '', head] = /^---\n(.*?)^---$/ms.exec(text) ?? []
  if (head === undefined || !text.startsWith('---\n')) {
    const message = 'begin the file with ---, then its title and description, then --- again'
    return { value: undefined, faults: [{ line: 1, message }] }
  }
  const front = readYaml(head, () => frontMatter, 1)
  const body = text.slice(whole.length)
  const before = linesIn(whole)
  const { sections: parts, links, faults: found } = readMarkdown(body, before)
  const faults: LineFault[] = [...front.faults, ...found]

  for (const [index, content] of body.split('\n').entries()) {
    // `{#…}` is a heading's anchor.
    const unknown = unknownPlaceholders(content.replaceAll(/\{#[^{}]*\}/g, ''), known)
    faults.push(...unknown.map((name) => ({ line: before + index + 1, message: `this ${name}` })))
  }
  const [introduction, ...sections] = parts.map(withAnchor)
  const ids = sections.map(({ id }) => id)
  for (const { id, line, heading, html } of sections) {
    const check = (isRight: boolean, message: string) => isRight || faults.push({ line, message })
    check(
      /^[a-z]+(-[a-z]+)*$/.test(id),
      'a heading ends with its anchor, in small letters: ## Cookies {#cookies}',
    )
    check(ids.indexOf(id) === ids.lastIndexOf(id), `{#${id}} appears twice`)
    check(heading !== '' && heading.length <= 70, 'a heading has 1 to 70 characters')
    check(html !== '', 'there is no text below this heading')
  }
  for (const { line, href } of links) {
    if (!isKnownLink(href, ids)) faults.push({ line, message: `there is no page at ${href}` })
  }
  const end = linesIn(text)
  for (const name of required[path]) {
    if (text.includes(`{${name}}`)) continue
    faults.push({ line: end, message: `{${name}} is missing: this page must contain it` })
  }
  if (front.value === undefined) return { value: undefined, faults }
  const { title, description, 'last-updated': lastUpdated } = front.value
  const value = {
    title,
    description,
    lastUpdated,
    introduction: { html: introduction?.html ?? '' },
    sections: sections.map(({ id, heading, html }) => ({ id, heading, body: { html } })),
  }
  return { value, faults }
}

/** Splits the anchor off a heading such as `Cookies {#cookies}`. */
function withAnchor(section: MarkdownSection): MarkdownSection & { readonly id: string } {
  const [heading = '', id = ''] = section.heading.replace(/\}$/, '').split('{#')
  return { ...section, heading: heading.trimEnd(), id }
}

const linesIn = (text: string): number => text.split('\n').length - 1
