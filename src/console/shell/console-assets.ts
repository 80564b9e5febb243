export interface ConsoleAssets {
  /** The CSS that each page contains; empty without a build, such as in tests. */
  readonly styles: string
  /** The URL of the script that every page loads. */
  readonly pageScript?: string
  /** The URL of the script for pages that sign in or add a passkey. */
  readonly passkeyScript?: string
  /** The URLs of the scripts that reload the page during development. */
  readonly developmentScripts?: readonly string[]
}
