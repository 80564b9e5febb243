import type { Block } from '../inline.ts'

/** A static page's text (reading 19). */
export interface LegalPage {
  readonly title: string
  /** One sentence for search engines. */
  readonly description: string
  /** As printed on the page, for example 2/21/2021. */
  readonly lastUpdated: string | undefined
  readonly introduction: readonly Block[]
  readonly sections: readonly LegalSection[]
}

export interface LegalSection {
  /** The anchor that the table of contents links to. */
  readonly id: string
  readonly heading: string
  readonly blocks: readonly Block[]
}
