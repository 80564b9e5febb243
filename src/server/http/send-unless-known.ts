import type { Context } from 'hono'
import { isAlreadyKnown } from './if-none-match.ts'

interface FileHeaders {
  readonly type: string
  /** With its quotes. */
  readonly etag: string
  readonly cacheControl: string
}

/** Sends a file, or 304 to a browser that has it. */
export async function sendUnlessKnown(
  c: Context,
  { type, etag, cacheControl }: FileHeaders,
  read: () => Uint8Array | Promise<Uint8Array>,
) {
  c.header('ETag', etag)
  c.header('Cache-Control', cacheControl)
  if (isAlreadyKnown(c.req.header('If-None-Match'), etag)) return c.body(null, 304)
  const content = new Uint8Array(await read())
  c.header('Content-Length', String(content.length))
  return c.body(content, 200, { 'content-type': type })
}
