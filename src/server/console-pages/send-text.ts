import { type Action, isAllowed } from '#domain/operator/rights.ts'
import { NotAllowedError } from '#server/operators/authorise.ts'
import { findSession } from '#server/operators/sessions.ts'
import type { ExportFormat } from '#server/platform/export-formats.ts'
import type { ConsoleContext, ConsoleParts } from './console-env.ts'

const types: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
}

export const isFormat = (text: string): text is ExportFormat => Object.hasOwn(types, text)

interface TextFile {
  readonly name: string
  readonly format: ExportFormat
  /** When the export was made, in epoch milliseconds. */
  readonly at: number
}

/** How often the permission is checked while the browser reads nothing, in milliseconds. */
const recheckIntervalMs = 5000

/** @throws NotAllowedError after the session has ended or its operator has lost the permission */
export async function assertStillAllowed(
  { operators }: Pick<ConsoleParts, 'operators'>,
  c: ConsoleContext,
  action: Action,
): Promise<void> {
  const session = await findSession(operators, c.get('secret'))
  if (session === undefined || !isAllowed(session.operator.role, action)) {
    throw new NotAllowedError(action)
  }
}

/**
 * Streams a file of any length. The stream is cut off if the operator loses the permission, which is checked before
 * each part and at least every 5 s.
 */
export function sendText(
  c: ConsoleContext,
  text: AsyncGenerator<string>,
  { name, format, at }: TextFile,
  assertAllowed: () => Promise<void>,
): Response {
  const encoder = new TextEncoder()
  let timer: NodeJS.Timeout | undefined
  const stop = async () => {
    clearInterval(timer)
    await text.return(undefined)
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const cutOff = async (error: unknown) => {
          controller.error(error)
          await stop()
        }
        timer = setInterval(() => assertAllowed().catch(cutOff), recheckIntervalMs)
      },
      pull: async (controller) => {
        try {
          const { done, value } = await text.next()
          if (done) {
            clearInterval(timer)
            controller.close()
            return
          }
          await assertAllowed()
          controller.enqueue(encoder.encode(value))
        } catch (error) {
          await stop()
          throw error
        }
      },
      cancel: stop,
    },
    // A buffered part would be sent without another check of the permission.
    { highWaterMark: 0 },
  )
  const day = new Date(at).toISOString().slice(0, 10)
  return c.body(body, 200, {
    'Content-Type': types[format],
    'Content-Disposition': `attachment; filename="${name}-${day}.${format}"`,
  })
}
