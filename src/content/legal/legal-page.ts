import type { Names } from '../disclosure.ts'

/** A static page's text. Pages are functions of the names that the operator's configuration fills in (ruling 19). */
export interface LegalPage {
  readonly title: string
  /** One sentence for search engines. */
  readonly description: string
  /** As printed on the page, for example 2/21/2021. */
  readonly lastUpdated?: string
  readonly introduction: readonly Block[]
  readonly sections: readonly LegalSection[]
}

export interface LegalSection {
  /** The anchor that the table of contents links to. */
  readonly id: string
  readonly heading: string
  readonly blocks: readonly Block[]
}

/** A paragraph, made of text and links, or a list of such lines. */
export type Block = readonly Inline[] | { readonly list: readonly (readonly Inline[])[] }

export type Inline = string | { readonly text: string; readonly href: string }

export type WriteLegalPage = (names: LegalNames) => LegalPage

export interface LegalNames extends Names {
  readonly cookies: CookieNames
}

/** What the site's cookies are called in the browser. */
export interface CookieNames {
  /** All hold the same token. */
  readonly tokens: readonly string[]
  readonly affiliate: string
  readonly received: string
}
