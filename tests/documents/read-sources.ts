import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from './documents.ts'

/** The product and what it is deployed by, without its tests, as one text in which no line ends. */
export const readSources = (): string =>
  globSync(['src/**/*.{ts,tsx}', 'deploy/{*,*/*}', 'compose.yaml', 'Dockerfile'], {
    cwd: projectFolder,
    exclude: ['**/*.test.*'],
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n')
    .replaceAll(/\s+/g, ' ')
