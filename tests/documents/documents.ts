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

/** Documents about the product as it is today. */
export const documents = read([
  '{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md',
  'docs/{*,decisions/*}.md',
  '{bench,catalogue,content,deploy,scripts,site-pictures,src,tests}/**/README.md',
])

/** The changelog also names files of earlier releases, so only its links and commands are checked. */
export const changelog = read(['CHANGELOG.md'])
