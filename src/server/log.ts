import { type Logger, pino } from 'pino'

/**
 * JSON lines on stdout. Of an error only name, message, code and stack are kept: other properties may quote a row, and
 * personal data with it.
 */
export const makeLog = (level: string): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError },
  })

function serializeError(error: unknown) {
  if (!(error instanceof Error)) return { message: 'something was thrown that is no error' }
  const { name, message, stack } = error
  return { name, message, stack, code: (error as NodeJS.ErrnoException).code }
}
