import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join, resolve } from 'node:path'

const cache = resolve(import.meta.dirname, '../../node_modules/.cache')

/**
 * The compiled form of this folder's C source `<name>.c`, which is compiled if its current version has not been yet.
 * The sources call system functions that Node does not offer.
 */
export function compiled(name: 'faulty-disk' | 'cut-power', options: readonly string[]): string {
  if (process.platform !== 'linux') throw new Error(`${name}.c is for Linux only.`)
  const source = join(import.meta.dirname, `${name}.c`)
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 12)
  const result = join(cache, `${name}-${hash}`)
  if (existsSync(result)) return result
  mkdirSync(cache, { recursive: true })
  const unfinished = `${result}.${process.pid}`
  try {
    execFileSync('cc', ['-O1', '-Wall', '-o', unfinished, source, ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Error(`${name}.c needs a C compiler, cc: install gcc (apt install gcc libc6-dev).`)
  }
  renameSync(unfinished, result)
  return result
}
