import { constants } from 'node:os'
import { inspect } from 'node:util'
import { Command, InvalidArgumentError, Option } from 'commander'
import { say, withProgress } from '../scripts/setup/machine.mjs'
import type { Bench } from './bench.ts'
import { benches } from './benches.ts'
import type { Figure } from './figure.ts'
import { describeRun, writeResults } from './results.ts'
import { isJudged } from './sized.ts'
import { table } from './table.ts'
import { openWorkshop } from './workshop.ts'

const names = benches.map(({ name }) => name).join(',')

const { only, runs } = new Command('npm run bench --')
  .description(
    'Measures the built product, each figure against a reference of the same run. Prints one table, writes ' +
      'bench/results.json, and exits 1 where a bound is broken.',
  )
  .addOption(
    new Option('--only <benches>', `some of ${names}, with commas between`)
      .argParser(choose)
      .default(benches, 'all'),
  )
  .addOption(
    new Option('--runs <count>', 'how often what is timed is measured; the median counts')
      .argParser(count)
      .default(5),
  )
  .parse()
  .opts<{ only: readonly Bench[]; runs: number }>()

function choose(list: string): readonly Bench[] {
  const wanted = list.split(',')
  if (wanted.some((name) => !benches.some((bench) => bench.name === name))) {
    throw new InvalidArgumentError(`The benches are ${names}.`)
  }
  return benches.filter(({ name }) => wanted.includes(name))
}

function count(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('A whole number from 1 on.')
  return Number(text)
}

const { workshop, endBench, close } = await openWorkshop(runs)
let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    isStopped = true
    await close()
    process.exit(128 + constants.signals[signal])
  })
}

const run = describeRun(workshop)
const { cores, loadBefore = 0 } = run.machine
if (loadBefore > cores / 2) {
  say(`The machine is busy (load ${loadBefore.toFixed(1)}): what is timed will tell little.`)
}
const figures: Figure[] = []
let failed = 0
try {
  for (const bench of only) {
    figures.push(...(await figuresOf(bench)))
  }
} finally {
  await close()
}
/** A benchmark that fails becomes a figure outside its bound, and the others still run. */
async function figuresOf(bench: Bench): Promise<readonly Figure[]> {
  try {
    return await withProgress(bench.title, () => bench.measure(workshop))
  } catch (error) {
    // A stopped run ends the benchmark's processes, so the benchmark fails. The handler above exits when everything has
    // ended.
    if (isStopped) return new Promise(() => undefined)
    say(inspect(error))
    failed++
    return [{ name: bench.title, measured: 'failed: see above', bound: '', isKept: false }]
  } finally {
    await endBench()
  }
}

if (isJudged) writeResults(run, figures)
console.log(`\n${table(figures)}`)
const broken = figures.filter(({ isKept }) => !isKept).length
console.log(`\n${figures.length - broken} of ${figures.length} bounds are kept.`)
process.exitCode = (isJudged ? broken : failed) === 0 ? 0 : 1
