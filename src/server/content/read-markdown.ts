import { Lexer, type Token, type Tokens } from 'marked'
import type { Block, Inline } from '#content/site-words.ts'
import type { LineFault } from './read-yaml.ts'

/** A part of a Markdown text, with the line that it begins on. */
export type Part =
  | { readonly line: number; readonly heading: string }
  | { readonly line: number; readonly block: Block }

export interface ReadMarkdown {
  readonly parts: readonly Part[]
  readonly links: readonly { readonly line: number; readonly href: string }[]
  readonly faults: readonly LineFault[]
}

/** Stands for a link whose address only the settings know. */
const linkPlaceholders: Readonly<Record<string, Inline>> = {
  // Shown as the address itself, so that it can be read out or copied where no mail program is set up.
  '{privacy-email}': { text: '{privacy-email}', href: 'mailto:{privacy-email}' },
  '{unsubscribe-form}': { text: 'unsubscribe form', href: '{unsubscribe-url}' },
}

/**
 * Reads the Markdown that pages are made of: paragraphs, lists, `##`, links and `**`. All else is a fault, HTML above all:
 * nothing is passed through to a page.
 * @param before how many lines of the file stand above it
 */
export function readMarkdown(text: string, before = 0): ReadMarkdown {
  const reading = new Reading()
  let line = before + 1
  for (const token of new Lexer({ gfm: false }).lex(text)) {
    reading.block(token, line)
    line += linesIn(token.raw)
  }
  return reading
}

/** The same for one line, such as an answer. */
export function readInline(text: string, line: number) {
  const { parts, links, faults } = readMarkdown(text, line - 1)
  const [first, ...others] = parts
  const isLine = first === undefined || ('block' in first && !('list' in first.block))
  const inline: readonly Inline[] =
    first && 'block' in first && !('list' in first.block) ? first.block : []
  const tooMuch = { line, message: 'a heading, a list or a second paragraph has no room here' }
  return {
    inline,
    links,
    faults: isLine && others.length === 0 ? faults : [...faults, tooMuch],
  }
}

class Reading implements ReadMarkdown {
  readonly parts: Part[] = []
  readonly links: { line: number; href: string }[] = []
  readonly faults: LineFault[] = []

  block(token: Token, line: number): void {
    if (token.type === 'space' || token.type === 'def') return
    if (isType<Tokens.Heading>(token, 'heading') && token.depth === 2) {
      this.parts.push({ line, heading: token.text })
    } else if (isType<Tokens.Paragraph>(token, 'paragraph')) {
      this.parts.push({ line, block: this.#inline(token.tokens, line) })
    } else if (isType<Tokens.List>(token, 'list') && !token.ordered) {
      this.parts.push({ line, block: { list: this.#items(token, line) } })
    } else this.#refuse(token, line)
  }

  #items(list: Tokens.List, from: number): readonly (readonly Inline[])[] {
    let line = from
    return list.items.map((item) => {
      const inline = item.tokens.flatMap((token) => {
        if (isType<Tokens.Paragraph>(token, 'paragraph') || isType<Tokens.Text>(token, 'text')) {
          return this.#inline(token.tokens ?? [], line)
        }
        if (token.type !== 'space') this.#refuse(token, line)
        return []
      })
      line += linesIn(item.raw)
      return inline
    })
  }

  #inline(tokens: readonly Token[], from: number): readonly Inline[] {
    let line = from
    const inline = tokens.flatMap((token) => {
      const parts = this.#run(token, line)
      line += linesIn(token.raw)
      return parts
    })
    return joined(inline)
  }

  #run(token: Token, line: number): readonly Inline[] {
    if (token.type === 'br') return [' ']
    if (isType<Tokens.Escape>(token, 'escape')) return [token.text]
    if (isType<Tokens.Text>(token, 'text')) {
      const entity = /&(?:#\w+|\w+);/.exec(token.text)?.[0]
      if (entity !== undefined) {
        this.faults.push({
          line,
          message: `${entity} is shown as it stands: write the character itself`,
        })
      }
      return token.text
        .replaceAll('\n', ' ')
        .split(/(\{[a-z-]+\})/)
        .map((part) => linkPlaceholders[part] ?? part)
    }
    if (isType<Tokens.Strong>(token, 'strong')) {
      return [{ strong: this.#plain(token, line) }]
    }
    if (isType<Tokens.Link>(token, 'link')) {
      this.links.push({ line, href: token.href })
      return [{ text: this.#plain(token, line), href: token.href }]
    }
    this.#refuse(token, line)
    return []
  }

  /** Links and strong text contain no further markup. */
  #plain({ tokens, text }: Tokens.Strong | Tokens.Link, line: number): string {
    for (const token of tokens) if (token.type !== 'text') this.#refuse(token, line)
    return text.replaceAll('\n', ' ')
  }

  #refuse(token: Token, line: number): void {
    this.faults.push({ line, message: notShown[token.type] ?? `${token.type} is not shown here` })
  }
}

const notShown: Readonly<Record<string, string>> = {
  html: 'HTML is not passed through to a page: take it out, or write the words alone',
  heading: 'only headings of the second level are shown: ##',
  list: 'only lists with dashes are shown',
  code: 'code is not shown: does the line begin with four spaces?',
  codespan: 'code is not shown: take the ` out',
  em: '* and _ around a text are not shown: what matters has two, **like this**',
  image: 'pictures are not shown here',
  hr: 'a line across the page is not shown: leave the line empty',
  blockquote: 'quotes are not shown: take the > out',
}

/** The lexer's own types have one that fits all. */
const isType = <Kind extends Token>(token: Token, type: Kind['type']): token is Kind =>
  token.type === type

const linesIn = (text: string): number => text.split('\n').length - 1

/** Adjacent texts are joined. */
function joined(inline: readonly Inline[]): readonly Inline[] {
  const out: Inline[] = []
  for (const part of inline) {
    const last = out.at(-1)
    if (part === '') continue
    if (typeof part === 'string' && typeof last === 'string') out[out.length - 1] = last + part
    else out.push(part)
  }
  return out
}
