export interface ConsoleAssets {
  /** All styles, which each page contains. */
  readonly styles: string
  /** The address of the script for every page; undefined during development without a build. */
  readonly pageScript: string | undefined
  /** The address of the script for pages that sign in or add a passkey. */
  readonly passkeyScript: string | undefined
  readonly developmentScripts: readonly string[]
}

/** Assets for callers without a build, such as tests. */
export const noConsoleAssets: ConsoleAssets = {
  styles: '',
  pageScript: undefined,
  passkeyScript: undefined,
  developmentScripts: [],
}
