import { resolve } from 'node:path'

/** Built, this module lies in dist/server; else in src/cli. */
export const projectFolder = resolve(import.meta.dirname, '../..')
