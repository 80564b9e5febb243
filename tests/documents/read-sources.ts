import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from './documents.ts'

/** The product and its deployment files without tests, as one text without line breaks. */
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
