/** The files that the build makes for the console's pages. */
export interface ConsoleAssets {
  /** All styles, put into each page. */
  readonly styles: string
  /** For every page: times in the operator's zone. Undefined while developing without a build. */
  readonly pageScript: string | undefined
  /** For the pages that sign in or add a passkey. */
  readonly passkeyScript: string | undefined
  /** Scripts of the development server; none in a built console. */
  readonly developmentScripts: readonly string[]
}

/** For callers without a build, such as tests. */
export const noConsoleAssets: ConsoleAssets = {
  styles: '',
  pageScript: undefined,
  passkeyScript: undefined,
  developmentScripts: [],
}
