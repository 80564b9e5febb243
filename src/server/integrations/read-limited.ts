/**
 * A reply's body as text; undefined where it is longer than `maxBytes`, in which case the rest is not fetched.
 * Rejects where the connection ends first.
 */
export async function readLimited(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string | undefined> {
  if (body === null) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop early cancels the stream.
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
