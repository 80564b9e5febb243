import type { PagePictures } from './head/page-pictures.ts'

/** What the build has made for the pages. */
export interface PageAssets {
  /** All styles, put into each page. */
  readonly styles: string
  /** Where the display face lies; without it the pages have the visitor's own. */
  readonly displayFont?: string
  /** The small script in every page with the form: it brings the form's own. Empty while developing. */
  readonly bootstrapScript: string
  /** The script that brings the form to life. */
  readonly formScript: string
  /** Scripts of the development server; none in a built site. */
  readonly developmentScripts: readonly string[]
  /** Undefined while developing: there are drawings then, but no icons and no photographs. */
  readonly pictures?: PagePictures
}
