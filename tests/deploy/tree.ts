import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Lists every path under a folder with its mode, size and modification time, so that a write shows. */
export function treeOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => {
      const { mode, size, mtimeMs } = lstatSync(join(folder, path))
      return `${path} ${mode.toString(8)} ${size} ${mtimeMs}`
    })
    .toSorted()
}

/** Makes a folder read-only for everybody. */
export function makeReadOnly(folder: string): void {
  execFileSync('chmod', ['-R', 'a-w', folder])
}

/** Makes a folder writable, so that it can be removed. */
export function makeWritable(folder: string): void {
  execFileSync('chmod', ['-R', 'u+w', folder])
}
