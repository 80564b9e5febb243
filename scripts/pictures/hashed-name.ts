import { createHash } from 'node:crypto'

/** A name that changes with the content, so that a browser may keep the file for ever. */
export function hashedName(name: string, extension: string, content: Uint8Array): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8)
  return `${name}-${hash}.${extension}`
}
