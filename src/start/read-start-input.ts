import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Logger } from 'pino'
import { readSettings } from '#server/config/read-settings.ts'
import { formatSettingsHelp } from '#server/config/settings-help.ts'
import { catalogueFile, readCatalogue } from '#server/content/read-catalogue.ts'
import { contentFolder, findContentMode, readContent } from '#server/content/read-content.ts'
import { versionText } from '#server/platform/observability/log.ts'
import type { Product } from './wiring/product.ts'

/** Reads the settings and the operator's files. If they have faults, the result's message lists all faults at once. */
export function readStartInput(projectFolder: string) {
  const read = readSettings(process.env)
  const catalogue = readCatalogue(resolve(projectFolder, catalogueFile))
  const content = readContent(resolve(projectFolder, contentFolder), findContentMode())
  if (read.ok && catalogue.ok && content.ok) {
    const { settings } = read
    return { ok: true, settings, programs: catalogue.programs, texts: content.texts } as const
  }
  const faults = [
    ...(read.ok ? [] : read.faults),
    ...(catalogue.ok ? [] : catalogue.faults.map((fault) => `${catalogueFile}, ${fault}`)),
    ...(content.ok ? [] : content.faults),
  ]
  const lines = faults.map((fault) => `  - ${fault}\n`)
  return {
    ok: false,
    message: `The configuration needs to be corrected:\n${lines.join('')}`,
  } as const
}

/** EX_USAGE of sysexits.h. */
const wrongUsage = 64

/**
 * Answers `--help` and `--version`. Refuses any other argument, because a setting given as an argument would silently
 * be ignored.
 */
export function answerHelpOptions(args: readonly string[]): void {
  const { help, version } = parseOptions(args)
  if (!help && !version) return
  process.stdout.write(help ? formatSettingsHelp() : `${versionText}\n`)
  process.exit(0)
}

function parseOptions(args: readonly string[]) {
  const help = { type: 'boolean', short: 'h' } as const
  const version = { type: 'boolean', short: 'V' } as const
  try {
    return parseArgs({ args: [...args], options: { help, version } }).values
  } catch {
    process.stderr.write(
      'The product takes no arguments: its settings are environment variables, as in PORT=8080 npm start. --help lists them.\n',
    )
    process.exit(wrongUsage)
  }
}

/**
 * On SIGHUP, reads the catalogue and the site's texts again and serves them from the next page on. If a file has
 * faults, the site keeps serving the last good version.
 * @param product resolves when the start is complete; a signal during the start waits for it
 */
export function reloadOnSignal(
  product: Promise<Product>,
  projectFolder: string,
  log: Logger,
): void {
  const reload = ({ setPrograms, setTexts }: Product) => {
    const catalogue = readCatalogue(resolve(projectFolder, catalogueFile))
    if (catalogue.ok) {
      setPrograms(catalogue.programs)
      log.info({ programs: catalogue.programs.length }, 'the catalogue was reloaded')
    } else {
      const message = 'the catalogue has faults and was not loaded: the site keeps its programs'
      log.error({ faults: catalogue.faults }, message)
    }
    const content = readContent(resolve(projectFolder, contentFolder), findContentMode())
    if (content.ok) {
      setTexts(content.texts)
      log.info('the texts of content/ were reloaded')
    } else {
      const message = 'content/ has faults and was not loaded: pages keep their texts'
      log.error({ faults: content.faults }, message)
    }
  }
  // `main.ts` ends the process after a failed start, and reports the reason.
  process.on('SIGHUP', () => product.then(reload, () => undefined))
}
