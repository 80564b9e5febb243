import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Removes the keys of a YAML file that are marked with `demo: true`, as an operator does before production. */
export const removeInventedFacts = (text: string): string =>
  text
    .split(/^(?=[a-z#])/m)
    .filter((block) => !block.includes('\n  demo: true\n'))
    .join('')

/** Removes the invented facts from a copy of `content/`, because production refuses to start with them. */
export function removeInventedFactsIn(folder: string): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
    const path = join(folder, file)
    writeFileSync(path, removeInventedFacts(readFileSync(path, 'utf8')))
  }
}
