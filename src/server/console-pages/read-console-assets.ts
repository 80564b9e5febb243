import type { ConsoleAssets } from '#console/shell/console-assets.ts'
import { readBuild } from '#server/platform/http/read-build.ts'

/**
 * Reads the console's built files from their own folder, which the site never serves.
 * @throws if there is no build
 */
export function readConsoleAssets(folder: string): ConsoleAssets {
  const { fileOf, styles } = readBuild(folder)
  return {
    styles,
    pageScript: fileOf('src/console/browser/every-page.ts'),
    passkeyScript: fileOf('src/console/browser/passkey.ts'),
    developmentScripts: [],
  }
}
