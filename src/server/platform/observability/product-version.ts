import manifest from '../../../../package.json' with { type: 'json' }

/** Put in by the build (vite.config.ts); there is none where the sources run as they are. */
declare const BUILD_IDENTITY: string | undefined

/** The release, as CHANGELOG.md heads it. */
export const productVersion = manifest.version

/** What the release was built of: the same sources and packages give the same twelve hex digits, on any machine. */
export const productBuild = typeof BUILD_IDENTITY === 'string' ? BUILD_IDENTITY : 'unbuilt'

/** As `--version` says it: `0.2.0 (build 1a2b3c4d5e6f)`. */
export const versionInWords = `${productVersion} (build ${productBuild})`
