import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One hash of names and contents. Times do not count: a checkout or a copy sets them anew.
 * @param {string} root
 * @param {readonly string[]} files relative to `root`
 * @returns {string} sha256, hex
 */
export function contentHash(root, files) {
  const hash = createHash('sha256')
  for (const file of [...files].sort()) {
    const content = readFileSync(join(root, file))
    // Name and length first, so that no content can pass for another file.
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * Every file under a folder, but hidden ones: editors and file managers leave those behind.
 * @param {string} root
 * @param {string} folder relative to `root`
 * @returns {string[]} relative to `root`; none where there is no such folder
 */
export function filesUnder(root, folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.'))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesUnder(root, path) : [path]
    })
}
