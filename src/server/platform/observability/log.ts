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
    inTurns(standardOutput()),
  )

/** How long a line waits in all for a reader of stdout that has stalled, in milliseconds. */
const mostStall = 2000

/**
 * Writes at once, so that a crash loses no line; but a reader that takes nothing any more, as one that is gone, must
 * not hold up the product, its stop least of all: then lines are lost.
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
      return Date.now() - stalledSince < mostStall
    },
  })
  destination.on('error', () => undefined)
  destination.on('drain', () => {
    stalledSince = undefined
  })
  return destination
}

/** A turn that says more than this sends it in several writes, in characters. */
const mostAtOnce = 16_384

/**
 * Lines of one turn of the event loop are written at once: one write for each line took 6 % of the
 * time under load.
 */
function inTurns(output: { write(text: string): void }) {
  let said = ''
  const send = () => {
    const text = said
    said = ''
    if (text !== '') output.write(text)
  }
  process.on('exit', send)
  return {
    write(line: string) {
      if (said === '') setImmediate(send)
      said += line
      if (said.length > mostAtOnce) send()
    },
  }
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
