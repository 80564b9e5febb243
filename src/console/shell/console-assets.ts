export interface ConsoleAssets {
  /** All styles, which each page contains; empty without a build, such as in tests. */
  readonly styles: string
  /** The address of the script for every page. */
  readonly pageScript?: string
  /** The address of the script for pages that sign in or add a passkey. */
  readonly passkeyScript?: string
  /** The addresses of the scripts that reload the page during development. */
  readonly developmentScripts?: readonly string[]
}
