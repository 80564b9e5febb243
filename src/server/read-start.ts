import { resolve } from 'node:path'
import type { Program } from '#domain/catalogue/program.ts'
import { readCatalogue } from './catalogue/read-catalogue.ts'
import { readSettings } from './config/read-settings.ts'
import type { Settings } from './config/settings.ts'

/** EX_CONFIG of sysexits.h. */
const configurationFault = 78

const catalogueFile = 'catalogue/programs.csv'

/** Reads configuration and catalogue; where either is at fault, prints every fault at once and ends the process. */
export function readStart(projectFolder: string): {
  settings: Settings
  programs: readonly Program[]
} {
  const read = readSettings(process.env)
  const catalogue = readCatalogue(resolve(projectFolder, catalogueFile))
  if (read.ok && catalogue.ok) return { settings: read.settings, programs: catalogue.programs }
  const faults = [
    ...(read.ok ? [] : read.faults),
    ...(catalogue.ok ? [] : catalogue.faults.map((fault) => `${catalogueFile}, ${fault}`)),
  ]
  process.stderr.write(
    `The configuration needs to be corrected:\n${faults.map((fault) => `  - ${fault}\n`).join('')}`,
  )
  process.exit(configurationFault)
}
