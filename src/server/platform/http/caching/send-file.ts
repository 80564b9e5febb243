import type { Context } from 'hono'

interface FileHeaders {
  readonly type: string
  /** With its quotes. */
  readonly etag: string
  readonly cacheControl: string
}

/** For routes behind hono/etag, which answers 304 to a browser that has the file. */
export function sendFile(
  c: Context,
  { type, etag, cacheControl }: FileHeaders,
  content: Uint8Array<ArrayBuffer>,
) {
  return c.body(content, 200, {
    'content-type': type,
    'content-length': String(content.length),
    'cache-control': cacheControl,
    etag,
  })
}
