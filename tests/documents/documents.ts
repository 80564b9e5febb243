import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const projectFolder = resolve(import.meta.dirname, '../..')

export interface Document {
  /** From the project's folder. */
  readonly path: string
  readonly text: string
}

/** Packages have documents of their own: those of `npm run bench` lie in bench/. */
const read = (patterns: readonly string[]): readonly Document[] =>
  patterns
    .flatMap((pattern) =>
      globSync(pattern, { cwd: projectFolder, exclude: ['**/node_modules/**'] }),
    )
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(projectFolder, path), 'utf8') }))

/** What says how things are today. */
export const documents = read([
  'README.md',
  'docs/*.md',
  '{bench,catalogue,content,deploy,scripts,site-pictures,src,tests}/**/README.md',
])

/** What says how things were when it was written: what it names may be gone, what it leads to is there. */
export const records = read(['CHANGELOG.md', 'docs/decisions/*.md'])
