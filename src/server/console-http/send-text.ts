import type { ExportFormat } from '#server/use-cases/leads/export/text-formats.ts'
import type { ConsoleContext } from './console-env.ts'

const types: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
}

export const isFormat = (text: string): text is ExportFormat => Object.hasOwn(types, text)

interface TextFile {
  readonly name: string
  readonly format: ExportFormat
  /** Epoch milliseconds. */
  readonly at: number
}

/** A file that is written while it is read, however long it is. */
export function sendText(
  c: ConsoleContext,
  text: AsyncGenerator<string>,
  { name, format, at }: TextFile,
): Response {
  const day = new Date(at).toISOString().slice(0, 10)
  return c.body(ReadableStream.from(text).pipeThrough(new TextEncoderStream()), 200, {
    'Content-Type': types[format],
    'Content-Disposition': `attachment; filename="${name}-${day}.${format}"`,
  })
}
