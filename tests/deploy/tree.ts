import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Every path under a folder with its mode, size and time of change: what is written to it shows. */
export function treeOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => {
      const { mode, size, mtimeMs } = lstatSync(join(folder, path))
      return `${path} ${mode.toString(8)} ${size} ${mtimeMs}`
    })
    .toSorted()
}

/** Takes the right to write away from everybody. */
export function makeReadOnly(folder: string): void {
  execFileSync('chmod', ['-R', 'a-w', folder])
}

/** So that it can be removed. */
export function makeWritable(folder: string): void {
  execFileSync('chmod', ['-R', 'u+w', folder])
}
