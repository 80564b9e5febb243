import type { Html, LegalPageTexts } from '#content/site-texts.ts'

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** The text, with one line for each paragraph or list item. */
export const textOf = ({ html }: Html): string =>
  [...html.matchAll(/<(p|li)>(.*?)<\/\1>/gs)]
    .map(([, , line = '']) =>
      line
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/&[#\w]+;/g, (entity) => entities[entity] ?? entity),
    )
    .join('\n')

/** All parts of a page, introduction first. */
const partsOf = ({ introduction, sections }: LegalPageTexts): Html => ({
  html: [introduction, ...sections.map(({ body }) => body)].map(({ html }) => html).join('\n'),
})

/** The address of every link on the page, in reading order. */
export const hrefsOf = (page: LegalPageTexts): string[] =>
  [...partsOf(page).html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)

/** A section’s lines; empty if the page has no such section. */
export const sectionText = (page: LegalPageTexts, id: string): string =>
  textOf(page.sections.find((one) => one.id === id)?.body ?? { html: '' })

/** Title, description and all lines: the text for readers and search engines. */
export const pageText = (page: LegalPageTexts): string =>
  `${page.title}\n${page.description}\n${textOf(partsOf(page))}`
