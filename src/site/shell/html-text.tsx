import type { Html } from '#content/site-texts.ts'
export const HtmlText = ({ of: { html }, as: Element = 'div' }: { of: Html; as?: 'div' | 'p' }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made from Markdown, in which HTML is refused
  <Element dangerouslySetInnerHTML={{ __html: html }} />
)
