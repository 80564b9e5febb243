/** What the build has made for the pages. */
export interface PageAssets {
  /** All styles, put into each page. */
  readonly styles: string
  /** The small script of every page with the form: it decides when the form's own script comes. */
  readonly enterScript: string
  /** The script that brings the form to life. */
  readonly formScript: string
  /** Scripts of the development server; none in a built site. */
  readonly developmentScripts: readonly string[]
}
