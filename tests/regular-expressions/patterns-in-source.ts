import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseSync } from 'vite'

export interface Pattern {
  /** The place of the pattern: `src/…:12`. */
  readonly place: string
  readonly pattern: string
  readonly flags: string
}

export interface PatternsInSource {
  readonly literals: readonly Pattern[]
  /** The places of patterns that are built at run time, which these tests cannot check. */
  readonly made: readonly string[]
}

const projectFolder = resolve(import.meta.dirname, '../..')

/** Finds every regular expression of `src/` except in tests, from the syntax tree. */
export function patternsInSource(): PatternsInSource {
  const literals: Pattern[] = []
  const made: string[] = []
  const files = globSync('src/**/*.{ts,tsx}', { cwd: projectFolder, exclude: ['**/*.test.*'] })
  for (const file of files.toSorted()) {
    const text = readFileSync(resolve(projectFolder, file), 'utf8')
    const placeOf = ({ start }: Node) => `${file}:${text.slice(0, start).split('\n').length}`
    const { program, errors } = parseSync(file, text)
    if (errors.length > 0) throw new Error(`${file} cannot be parsed`)
    walk(program, (node) => {
      if (node.regex) literals.push({ place: placeOf(node), ...node.regex })
      if (node.callee?.name === 'RegExp') made.push(placeOf(node))
    })
  }
  return { literals, made }
}

/** The properties of a syntax node that this code reads. */
interface Node {
  readonly type: string
  readonly start: number
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && 'start' in value) visit(value as Node)
  for (const part of Object.values(value)) walk(part, visit)
}
