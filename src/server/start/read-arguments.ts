import { parseArgs } from 'node:util'
import { settingsHelp } from '#server/config/settings-help.ts'
import { versionInWords } from '#server/platform/observability/log.ts'

/** EX_USAGE of sysexits.h. */
const wrongUsage = 64

/** Answers `--help` and `--version`, and refuses what is no argument: a setting given there would silently be ignored. */
export function readArguments(args: readonly string[]): void {
  const { help, version, unknown } = parse(args)
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
  if (version) {
    process.stdout.write(`${versionInWords}\n`)
    process.exit(0)
  }
}

interface Arguments {
  readonly help: boolean
  readonly version: boolean
  readonly unknown: boolean
}

function parse(args: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'V' } },
    strict: false,
    allowPositionals: true,
  })
  const { help, version, ...others } = values
  return {
    help: help === true,
    version: version === true,
    unknown: positionals.length > 0 || Object.keys(others).length > 0,
  }
}
