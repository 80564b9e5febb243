import { constants } from 'node:os'
import { chdir } from 'node:process'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError, Option } from 'commander'
import { checkEnvironment } from './checks/check-environment.ts'
import { type Check, checks } from './checks/checks.ts'
import { endRunningCheck, hasTool, runCheck } from './checks/run-check.ts'
import { type Result, summaryOf } from './checks/summary.ts'

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
    void endRunningCheck()
  })
}

chdir(fileURLToPath(new URL('..', import.meta.url)))
const env = checkEnvironment()
const results: Result[] = []
for (const check of only) {
  console.log(`\n== ${check.heading}`)
  if (!hasTool(check)) {
    console.log(`Its tool, ${check.tool}, is missing: delete node_modules and run npm test.`)
    break
  }
  const startedAt = performance.now()
  const verdict = await runCheck(check, env)
  const seconds = (performance.now() - startedAt) / 1000
  results.push({ name: check.name, seconds, ...verdict })
  console.log(`-- ${check.name}: ${seconds.toFixed(1)} s`)
  if (stoppedBy) break
}

const notRun = only.slice(results.length).map(({ name }) => name)
console.log(`\n== Summary\n${summaryOf(results, notRun)}`)
const isGood = notRun.length === 0 && results.every(({ failed }) => failed === 0)
process.exitCode = stoppedBy ? 128 + constants.signals[stoppedBy] : isGood ? 0 : 1
