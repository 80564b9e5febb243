import type { IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'

/** What {@link decodeBody} reads, as `Accept-Encoding` says it. */
export const acceptedEncoding = 'gzip'

/**
 * A reply's body as text; undefined where it is longer than `maxBytes` once it is decompressed.
 * Throws where it is not in the encoding that it says.
 */
export function decodeBody(
  encoded: Buffer,
  headers: IncomingHttpHeaders,
  maxBytes: number,
): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return encoded.toString()
  if (encoding !== 'gzip' && encoding !== 'x-gzip') throw new Error('an encoding not asked for')
  try {
    return gunzipSync(encoded, { maxOutputLength: maxBytes }).toString()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
