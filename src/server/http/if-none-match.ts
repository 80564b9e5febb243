/**
 * Whether a browser has the answer already, by its `If-None-Match` header.
 * @param etag with its quotes
 */
export function isAlreadyKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(/\s*,\s*/) ?? []
  // A proxy that compresses makes a tag weak: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
  return known.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
}
