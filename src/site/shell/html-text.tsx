import type { Html } from '#content/site-words.ts'

interface HtmlTextProps {
  of: Html
  as?: 'div' | 'p'
  className?: string | undefined
}

/** The operator's Markdown on a page. */
export const HtmlText = ({ of: { html }, as: Element = 'p', className }: HtmlTextProps) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made from Markdown, in which HTML is refused
  <Element className={className} dangerouslySetInnerHTML={{ __html: html }} />
)
