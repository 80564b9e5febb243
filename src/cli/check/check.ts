import { resolve } from 'node:path'
import { Command } from 'commander'
import { areas } from '#domain/area.ts'
import { counted } from '#domain/text/counted.ts'
import { readSettings } from '#server/config/read-settings.ts'
import { readCatalogue } from '#server/content/read-catalogue.ts'
import { readContent } from '#server/content/read-content.ts'
import { catalogueFile, contentFolder } from '#server/start/read-start.ts'
import { exitCodes, NotDoneError } from '../not-done-error.ts'
import { projectFolder } from '../server-settings.ts'
import { examples, print, printJson, table } from '../terminal/print.ts'
import { checkThirdParties, type Look, right } from './third-party-checks.ts'

const about = `
Checks everything that a start would refuse, the store, and whether the third parties can be reached. It starts no server,
creates and changes no store, sends no lead and makes no call that is billed: whoever charges for a call is connected to,
and not called. It signs in to PostgreSQL, and asks the IP service and the single sign-on provider once. 0: all is right.
78: it is not, and every fault is listed.`

export const checkCommand = (): Command =>
  new Command('check')
    .description(
      'checks settings, catalogue, texts, store and third parties, without starting (npm run check)',
    )
    .option('--json', 'as JSON')
    .addHelpText('after', examples('check'))
    .addHelpText('after', about)
    .action(check)

async function check({ json }: { json?: boolean }): Promise<void> {
  const looks = await lookAtAll()
  const faults = looks.filter(({ found }) => found === 'fault').length
  if (json) printJson({ ok: faults === 0, looks })
  else print(inWords(looks))
  if (faults === 0) return
  throw new NotDoneError(
    `${counted(faults, 'fault')}. A server would not start, or would not work, with these settings.`,
    exitCodes.configuration,
  )
}

async function lookAtAll(): Promise<readonly Look[]> {
  const read = readSettings(process.env)
  const catalogue = readCatalogue(resolve(projectFolder, catalogueFile))
  const faults = (what: string, found: readonly string[]) =>
    found.map((said): Look => ({ what, found: 'fault', said }))
  const content = readContent(resolve(projectFolder, contentFolder))
  const beside = [
    ...(catalogue.ok
      ? [right('catalogue', `${counted(catalogue.programs.length, 'program')} on offer`)]
      : faults('catalogue', catalogue.faults)),
    ...(content.ok
      ? [right('words', `${counted(areas.length, 'landing page')} in ${contentFolder}/`)]
      : faults('words', content.faults)),
  ]
  if (!read.ok) {
    const unknown = 'not looked at, as the settings name them'
    return [
      ...faults('settings', read.faults),
      ...beside,
      { what: 'third parties', found: 'left out', said: unknown },
    ]
  }
  const { settings } = read
  return [
    right('settings', `${settings.mode}, ROLE=${settings.role}`),
    ...beside,
    ...(await checkThirdParties(settings)),
  ]
}

const inWords = (looks: readonly Look[]): string =>
  table(
    ['Found', 'Of', ''],
    looks.map(({ found, what, said }) => [found === 'fault' ? 'FAULT' : found, what, said]),
  )
