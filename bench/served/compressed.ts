import { brotliCompressSync, constants } from 'node:zlib'
import type { Served } from './serve.ts'

/** Compresses like the product: brotli, quality 11. */
export const compressed = (type: string, content: Uint8Array): Served => ({
  type,
  encoding: 'br',
  body: new Uint8Array(
    brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  ),
})
