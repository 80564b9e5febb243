import { Lexer, Parser, type Token, type Tokens } from 'marked'
import type { LineFault } from '#server/platform/csv-lines.ts'

interface MarkdownLink {
  readonly line: number
  readonly href: string
}

export interface MarkdownSection {
  readonly line: number
  /** The section's heading; empty for the part above the first heading. */
  readonly heading: string
  readonly html: string
}

const options = { gfm: false }

/** The Markdown tokens that pages may contain. Other tokens, such as HTML, are faults. */
const shownKinds = ['space', 'def', 'paragraph', 'list', 'text', 'strong', 'link', 'escape', 'br']

const shownMarkdown =
  'pages show only paragraphs, ## headings, lists with dashes, [links](/) and **what matters**'

/** @param before the number of lines above the text in its file */
export function parseMarkdown(text: string, before: number) {
  const found: Found = { links: [], faults: [] }
  const parts: { line: number; heading: string; tokens: Token[] }[] = []
  let part = { line: before + 1, heading: '', tokens: [] as Token[] }
  parts.push(part)
  visitTokens(new Lexer(options).lex(text), before + 1, (token, line) => {
    if (token.type === 'heading' && (token as Tokens.Heading).depth === 2) {
      part = { line, heading: (token as Tokens.Heading).text, tokens: [] }
      parts.push(part)
    } else {
      part.tokens.push(token)
      checkToken(token, line, found)
    }
  })
  const sections = parts.map(({ line, heading, tokens }): MarkdownSection => {
    return { line, heading, html: fillLinkPlaceholders(new Parser(options).parse(tokens).trim()) }
  })
  return { sections, ...found }
}

/** Parses the Markdown of one line, such as an answer. */
export function parseInlineMarkdown(text: string, line: number) {
  const found: Found = { links: [], faults: [] }
  const tokens = Lexer.lexInline(text, options)
  visitTokens(tokens, line, (token) => checkToken(token, line, found))
  return { html: fillLinkPlaceholders(new Parser(options).parseInline(tokens)), ...found }
}

interface Found {
  readonly links: MarkdownLink[]
  readonly faults: LineFault[]
}

function checkToken(token: Token, line: number, found: Found): void {
  const isOrdered = token.type === 'list' && (token as Tokens.List).ordered
  if (isOrdered || !shownKinds.includes(token.type)) {
    found.faults.push({ line, message: `${token.type} is not shown: ${shownMarkdown}` })
    return
  }
  if (token.type === 'link') found.links.push({ line, href: (token as Tokens.Link).href })
  if (token.type === 'list') {
    visitTokens((token as Tokens.List).items, line, (item, at) =>
      visitTokens(item.tokens, at, (part, partLine) => checkToken(part, partLine, found)),
    )
  } else if ('tokens' in token) {
    visitTokens(token.tokens, line, (part, partLine) => checkToken(part, partLine, found))
  }
}

function visitTokens<Each extends { readonly raw: string }>(
  tokens: readonly Each[] = [],
  from: number,
  visit: (token: Each, line: number) => void,
): void {
  let line = from
  for (const token of tokens) {
    visit(token, line)
    line += token.raw.split('\n').length - 1
  }
}

/** Replaces placeholders with links. The email address is also the link's text, so that visitors can copy it. */
const fillLinkPlaceholders = (html: string): string =>
  html
    .replaceAll('{privacy-email}', '<a href="mailto:{privacy-email}">{privacy-email}</a>')
    .replaceAll('{unsubscribe-form}', '<a href="{unsubscribe-url}">unsubscribe form</a>')

const htmlCharacters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Returns what a reader reads of HTML from {@link parseInlineMarkdown}: no tags, and characters for entities. */
export const toPlainText = (html: string): string =>
  html
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(?:#(\d+)|(amp|lt|gt|quot));/g, (_, code?: string, name = '') =>
      code === undefined ? (htmlCharacters[name] ?? '') : String.fromCodePoint(Number(code)),
    )
