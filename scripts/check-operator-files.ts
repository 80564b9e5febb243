// Checks content/ and site-pictures/ before a build: prints each fault with its file, and exits with code 78.
import { resolve } from 'node:path'
import { readContent } from '#server/content/read-content.ts'
import { findPhotographs, PhotographError } from './pictures/photographs.ts'

const root = resolve(import.meta.dirname, '..')
const read = readContent(resolve(root, 'content'), 'demo')
const ofPhotographs = await findPhotographs(resolve(root, 'site-pictures')).then(
  () => [],
  (error: unknown) => {
    if (error instanceof PhotographError) return [error.message]
    throw error
  },
)
const faults = [...(read.ok ? [] : read.faults), ...ofPhotographs]
if (faults.length > 0) {
  const lines = faults.map((fault) => `  - ${fault}\n`)
  process.stderr.write(`Your files need to be corrected:\n${lines.join('')}`)
  process.exitCode = 78
}
