import { resolve } from 'node:path'
import type { Program } from '#domain/catalogue/program.ts'
import { readCatalogue } from '#server/catalogue/read-catalogue.ts'
import { readSettings } from '#server/config/read-settings.ts'
import type { Settings } from '#server/config/settings.ts'

/** Within the project's folder. */
export const catalogueFile = 'catalogue/programs.csv'

export type ReadStart =
  | { readonly ok: true; readonly settings: Settings; readonly programs: readonly Program[] }
  /** Every fault at once, for the operator. */
  | { readonly ok: false; readonly words: string }

/** Reads configuration and catalogue. */
export function readStart(projectFolder: string): ReadStart {
  const read = readSettings(process.env)
  const catalogue = readCatalogue(resolve(projectFolder, catalogueFile))
  if (read.ok && catalogue.ok) {
    return { ok: true, settings: read.settings, programs: catalogue.programs }
  }
  const faults = [
    ...(read.ok ? [] : read.faults),
    ...(catalogue.ok ? [] : catalogue.faults.map((fault) => `${catalogueFile}, ${fault}`)),
  ]
  const lines = faults.map((fault) => `  - ${fault}\n`)
  return { ok: false, words: `The configuration needs to be corrected:\n${lines.join('')}` }
}
