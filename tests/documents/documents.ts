import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const projectFolder = resolve(import.meta.dirname, '../..')

export interface Document {
  /** The path from the project's folder. */
  readonly path: string
  readonly text: string
}

/** Reads documents, except those of installed packages: the packages of `npm run bench` are in bench/. */
const read = (patterns: readonly string[]): readonly Document[] =>
  patterns
    .flatMap((pattern) =>
      globSync(pattern, { cwd: projectFolder, exclude: ['**/node_modules/**'] }),
    )
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(projectFolder, path), 'utf8') }))

/** Documents about the current product. */
export const documents = read([
  '{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md',
  'docs/{*,decisions/*}.md',
  '{bench,catalogue,content,deploy,scripts,site-pictures,src,tests}/**/README.md',
])

/** The changelog also names files of earlier releases, so only its links and commands are checked. */
export const changelog = read(['CHANGELOG.md'])
