import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { describeImport, makeReturns } from '#server/delivery/import-returns.ts'
import { maxReturns, type ReturnColumns } from '#server/delivery/parse-returns.ts'
import { CommandError } from './errors.ts'
import { commandLineActor, withStoreForChanges } from './store.ts'
import { type JsonOption, makeCommand, makeCommandGroup, print, printJson } from './terminal.ts'

type ImportOptions = JsonOption & Partial<ReturnColumns>

export const returnsCommand = (): Command =>
  makeCommandGroup(
    'returns',
    'leads that the distributor accepted and took back later',
    'import returns.csv',
    [
      makeCommand('import', 'marks the leads of the distributor’s CSV file as returned', {
        examples: [
          'returns import returns.csv',
          'returns import returns.csv --lead "Lead ID" --date Returned --reason Why',
        ],
        helpText: `
The file has a line of headings and at most ${maxReturns.toLocaleString('en-US')} leads: reference, date (2026-11-30 or 11/30/2026) and reason.
If any line is wrong, nothing is imported. Importing a file again changes nothing.
The headings are remembered for the next file, also for the console.`,
      })
        .argument('<file>', 'the file')
        .option('--lead <heading>', 'the heading of the leads’ references')
        .option('--date <heading>', 'the heading of the dates')
        .option('--reason <heading>', 'the heading of the reasons; "" if there is none')
        .action(runImport),
    ],
  )

async function runImport(file: string, { json, ...given }: ImportOptions): Promise<void> {
  const text = await readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${code}). Nothing was changed.`)
  })
  const result = await withStoreForChanges(
    async (store) => {
      const returns = makeReturns({ ...store.database, audit: store.audit, clock: Date.now })
      const columns = { ...(await returns.columns()), ...given }
      return returns.import(commandLineActor(), text, columns)
    },
    { json },
  )
  if (json) printJson(result)
  else if (result.kind === 'imported') print(`Returns imported: ${describeImport(result)}.`)
  if (result.kind === 'imported') return
  const faults = [
    ...Object.entries(result.columns).map(([field, fault]) => `--${field}: ${fault}`),
    ...result.faults.map(({ line, message }) => `line ${line}: ${message}`),
  ]
  throw new CommandError(
    `Nothing was imported from ${file}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
  )
}
