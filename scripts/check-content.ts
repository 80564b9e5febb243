// Says what is wrong in content/ before anything is built: exit code 78 and each fault with its file and line.
import { resolve } from 'node:path'
import { readContent } from '#server/content/read-content.ts'

const read = readContent(resolve(import.meta.dirname, '../content'))
if (!read.ok) {
  const lines = read.faults.map((fault) => `  - ${fault}\n`)
  process.stderr.write(`The words need to be corrected:\n${lines.join('')}`)
  process.exitCode = 78
}
