import { type Block, type Inline, type LegalPage, plainText } from '#content/site-words.ts'

const linesOf = (block: Block): readonly (readonly Inline[])[] =>
  'list' in block ? block.list : [block]
const inlines = (blocks: readonly Block[]): Inline[] => blocks.flatMap(linesOf).flat()

/** One line for each paragraph or list item. */
export const textOf = (blocks: readonly Block[]): string =>
  blocks.flatMap(linesOf).map(plainText).join('\n')

/** All blocks of a page, introduction first. */
const blocksOf = (page: LegalPage) => [
  ...page.introduction,
  ...page.sections.flatMap(({ blocks }) => blocks),
]

/** Every link of the page, in reading order. */
export const hrefsOf = (page: LegalPage): string[] =>
  inlines(blocksOf(page)).flatMap((inline) =>
    typeof inline !== 'string' && 'href' in inline ? [inline.href] : [],
  )

/** A section’s lines; empty where the page has no such section. */
export const sectionText = (page: LegalPage, id: string): string =>
  textOf(page.sections.find((one) => one.id === id)?.blocks ?? [])

/** Title, description and all lines: what a reader or a search engine is told. */
export const pageText = (page: LegalPage): string =>
  `${page.title}\n${page.description}\n${textOf(blocksOf(page))}`
