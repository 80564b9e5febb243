import { type Logger, pino } from 'pino'
import manifest from '../../../../package.json' with { type: 'json' }
import { sanitizeError } from '../faults/sanitize-error.ts'

/** JSON lines on stdout. */
export const makeLog = (level: string): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: sanitizeError },
    },
    standardOutput(),
  )

/** How long a line waits in all for a reader of stdout that has stalled, in milliseconds. */
const maxStall = 2000

/**
 * Writes at once, so that a crash loses no line. A reader that has stalled or gone must not hold up the product, least of all
 * its stop: then lines are lost.
 */
function standardOutput() {
  let stalledSince: number | undefined
  const destination = pino.destination({
    // Node makes a pipe non-blocking when it first opens it: a write to a full one fails then, instead of standing still.
    dest: process.stdout.fd,
    sync: true,
    maxLength: 1024 * 1024,
    retryEAGAIN: () => {
      stalledSince ??= Date.now()
      return Date.now() - stalledSince < maxStall
    },
  })
  destination.on('error', () => undefined)
  destination.on('drain', () => {
    stalledSince = undefined
  })
  return destination
}

/** Put in by the build (vite.config.ts); there is none where the sources run as they are. */
declare const BUILD_IDENTITY: string | undefined

/** The release, as CHANGELOG.md heads it. */
export const productVersion = manifest.version

/**
 * Identifies the release's content: the same sources and packages give the same twelve hex digits,
 * on any machine.
 */
export const productBuild = typeof BUILD_IDENTITY === 'string' ? BUILD_IDENTITY : 'unbuilt'

/** As `--version` says it: `0.2.0 (build 1a2b3c4d5e6f)`. */
export const describeVersion = `${productVersion} (build ${productBuild})`
