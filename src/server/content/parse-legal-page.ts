import * as v from 'valibot'
import type { LegalPageTexts, LegalPath } from '#content/site-texts.ts'
import type { LineFault } from '#server/platform/csv-lines.ts'
import { type MarkdownSection, parseMarkdown } from './parse-markdown.ts'
import { makeLineSchema, type ParseResult, parseYaml } from './parse-yaml.ts'
import {
  findUnknownPlaceholders,
  isAllowedLink,
  linkPlaceholders,
  organizationPlaceholders,
} from './placeholders.ts'

/** The placeholders whose values only the product knows, such as the names of its cookies. */
const productPlaceholders = [
  'retention',
  'cookie-count',
  'token-cookies',
  'affiliate-cookie',
  'received-cookie',
]

const known = [...organizationPlaceholders, ...linkPlaceholders, ...productPlaceholders]

const frontMatter = v.strictObject({
  title: makeLineSchema(40, known),
  description: makeLineSchema(160, known),
  'last-updated': v.optional(makeLineSchema(20)),
})

const required: Readonly<Record<LegalPath, readonly string[]>> = {
  '/information/privacy-policy': [
    'operator',
    'privacy-email',
    'unsubscribe-form',
    ...productPlaceholders,
  ],
  '/information/terms-conditions': ['operator', 'privacy-email'],
  '/information/privacy-rights-request': ['operator', 'privacy-email'],
}

/** Parses a legal page, which is Markdown below a title and a description. */
export function parseLegalPage(text: string, path: LegalPath): ParseResult<LegalPageTexts> {
  const [whole = '', head] = /^---\n(.*?)^---$/ms.exec(text) ?? []
  if (head === undefined || !text.startsWith('---\n')) {
    const message = 'begin the file with ---, then its title and description, then --- again'
    return { value: undefined, faults: [{ line: 1, message }] }
  }
  const front = parseYaml(head, () => frontMatter, 1)
  const body = text.slice(whole.length)
  const before = countLines(whole)
  const markdown = parseMarkdown(body, before)
  const faults: LineFault[] = [...front.faults, ...markdown.faults]

  for (const [index, content] of body.split('\n').entries()) {
    // `{#…}` is a heading's anchor.
    const unknown = findUnknownPlaceholders(content.replaceAll(/\{#[^{}]*\}/g, ''), known)
    faults.push(...unknown.map((name) => ({ line: before + index + 1, message: `this ${name}` })))
  }
  const [introduction, ...sections] = markdown.sections.map(splitAnchor)
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
  for (const { line, href } of markdown.links) {
    if (!isAllowedLink(href, ids)) faults.push({ line, message: `there is no page at ${href}` })
  }
  const end = countLines(text)
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

function splitAnchor(section: MarkdownSection): MarkdownSection & { readonly id: string } {
  const [heading = '', id = ''] = section.heading.replace(/\}$/, '').split('{#')
  return { ...section, heading: heading.trimEnd(), id }
}

const countLines = (text: string): number => text.split('\n').length - 1
