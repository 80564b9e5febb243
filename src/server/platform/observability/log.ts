import { type Logger, pino } from 'pino'
import manifest from '../../../../package.json' with { type: 'json' }
import { sanitizeError } from '../faults/sanitize-error.ts'

/** Logs JSON lines to stdout. */
export const makeLog = (level: string): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: sanitizeError },
    },
    makeOutputStream(),
  )

/** How long a stalled reader of stdout may delay log lines in total, in milliseconds. */
const maxStall = 2000

/**
 * Makes a stream that writes log lines synchronously, so that a crash loses none. If the reader of stdout has stalled
 * or ended, the stream drops lines, so that the product keeps running and can stop.
 */
function makeOutputStream() {
  let stalledSince: number | undefined
  const destination = pino.destination({
    // Reading `process.stdout` makes a pipe non-blocking, so a write to a full pipe fails instead of blocking.
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

/** The build defines this constant (vite.config.ts). Without a build, the constant is undefined. */
declare const BUILD_IDENTITY: string | undefined

/** The product's version, as in CHANGELOG.md. */
export const productVersion = manifest.version

/** Identifies the build's content: the same sources and packages give the same twelve hex digits on any machine. */
export const buildId = typeof BUILD_IDENTITY === 'string' ? BUILD_IDENTITY : 'unbuilt'

/** The output of `--version`, such as `0.2.0 (build 1a2b3c4d5e6f)`. */
export const versionText = `${productVersion} (build ${buildId})`
