import { constants } from 'node:os'
import { chdir } from 'node:process'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError, Option } from 'commander'
import { type Check, checks } from './checks/checks.ts'
import { checkEnvironment, endRunningChecks, runChecks } from './checks/run-checks.ts'
import { summaryOf } from './checks/summary.ts'

const names = checks.map(({ name }) => name).join(',')

const onlyOption = new Option('--only <checks>', `some of ${names}, with commas between`)
  .argParser(choose)
  .default(checks, 'all')
const { only } = new Command('npm test --')
  .description('Runs every check. Exit 0 only if all ran and passed.')
  .addOption(onlyOption)
  .parse()
  .opts<{ only: readonly Check[] }>()

function choose(list: string): readonly Check[] {
  const wanted = list.split(',')
  const unknown = wanted.find((name) => !checks.some((check) => check.name === name))
  if (unknown !== undefined) throw new InvalidArgumentError(`The checks are ${names}.`)
  return checks.filter(({ name }) => wanted.includes(name))
}

let stoppedBy: NodeJS.Signals | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stoppedBy ??= signal
    void endRunningChecks()
  })
}

chdir(fileURLToPath(new URL('..', import.meta.url)))
const startedAt = performance.now()
const results = await runChecks(only, checkEnvironment(), () => stoppedBy !== undefined)
const notRun = only
  .map(({ name }) => name)
  .filter((name) => !results.some((result) => result.name === name))
const took = (performance.now() - startedAt) / 1000
console.log(`\n== Summary\n${summaryOf(results, notRun, took)}`)
const isGood = notRun.length === 0 && results.every(({ failed }) => failed === 0)
process.exitCode = stoppedBy ? 128 + constants.signals[stoppedBy] : isGood ? 0 : 1
