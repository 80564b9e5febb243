import { ReadableStream, TextEncoderStream } from 'node:stream/web'
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
  readonly day: Day
}

/**
 * Streams a file of any length. Before each part, the console checks the operator's permission, and ends the stream if
 * the operator has lost it.
 * @param assertAllowed rejects if the operator has lost the permission
 */
export function streamTextFile(
  c: ConsoleContext,
  text: AsyncGenerator<string>,
  { name, format, day }: TextFile,
  assertAllowed: () => Promise<void>,
): Response {
  async function* checked() {
    for await (const part of text) {
      await assertAllowed()
      yield part
    }
  }
  const body = ReadableStream.from(checked()).pipeThrough(new TextEncoderStream())
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
