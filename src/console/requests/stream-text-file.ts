import { ReadableStream, TransformStream } from 'node:stream/web'
import type { ConsoleContext, ConsoleServices } from '#console/console-services.ts'
import { type Day, formatDay } from '#domain/calendar.ts'
import { isAllowed, type Permission } from '#domain/operator/permissions.ts'
import { NotAllowedError } from '#server/operators/authorize.ts'
import { findSession } from '#server/operators/sessions.ts'
import type { ExportFormat } from '#server/platform/export-formats.ts'

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
}

export const isExportFormat = (text: string): text is ExportFormat =>
  Object.hasOwn(contentTypes, text)

interface TextFile {
  readonly name: string
  readonly format: ExportFormat
  /** The day of the export. */
  readonly day: Day
}

/** The console checks the permission at this interval, in milliseconds, while the browser reads nothing. */
const recheckIntervalMs = 5000

/**
 * Streams a file of any length. Before each part and at least every 5 s, the console checks the operator's permission,
 * and ends the stream if the operator has lost it.
 * @param assertAllowed rejects if the operator has lost the permission
 */
export function streamTextFile(
  c: ConsoleContext,
  text: AsyncGenerator<string>,
  { name, format, day }: TextFile,
  assertAllowed: () => Promise<void>,
): Response {
  const encoder = new TextEncoder()
  let timer: NodeJS.Timeout | undefined
  const checked = new TransformStream<string, Uint8Array>({
    start: (controller) => {
      const recheck = () => assertAllowed().catch((error: unknown) => controller.error(error))
      timer = setInterval(recheck, recheckIntervalMs)
    },
    transform: async (part, controller) => {
      await assertAllowed()
      controller.enqueue(encoder.encode(part))
    },
  })
  async function* stopChecksAtEnd() {
    try {
      yield* text
    } finally {
      clearInterval(timer)
    }
  }
  const body = ReadableStream.from(stopChecksAtEnd()).pipeThrough(checked)
  return c.body(body, 200, {
    'Content-Type': contentTypes[format],
    'Content-Disposition': `attachment; filename="${name}-${formatDay(day)}.${format}"`,
  })
}

/** @throws NotAllowedError if the session has ended or the operator has lost the permission */
export async function assertStillPermitted(
  { operators }: ConsoleServices,
  c: ConsoleContext,
  action: Permission,
): Promise<void> {
  const session = await findSession(operators, c.get('secret'))
  const isPermitted = session !== undefined && isAllowed(session.operator.role, action)
  if (!isPermitted) throw new NotAllowedError(action)
}
