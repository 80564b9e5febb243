import { parseArgs } from 'node:util'
import { settingsHelp } from './config/settings-help.ts'

/** EX_USAGE of sysexits.h. */
const wrongUsage = 64

/** Answers `--help`, and refuses what is no argument: a setting given there would silently be ignored. */
export function readArguments(args: readonly string[]): void {
  const { help, unknown } = parse(args)
  if (unknown) {
    process.stderr.write(
      'The product takes no arguments: its settings are the environment, as in PORT=8080 npm start. --help lists them.\n',
    )
    process.exit(wrongUsage)
  }
  if (help) {
    process.stdout.write(settingsHelp())
    process.exit(0)
  }
}

function parse(args: readonly string[]): { readonly help: boolean; readonly unknown: boolean } {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { help: { type: 'boolean', short: 'h' } },
    strict: false,
    allowPositionals: true,
  })
  const { help, ...others } = values
  return { help: help === true, unknown: positionals.length > 0 || Object.keys(others).length > 0 }
}
