import { constants } from 'node:os'
import { resolve } from 'node:path'
import { inspect } from 'node:util'
import { startProcess } from '#tests/product/start-process.ts'
import { say, withProgress } from '../../scripts/setup/machine.mjs'
import { endStarted } from './end-process.ts'
import { type Played, playStories } from './play-stories.ts'
import { readCandidates } from './read-candidates.ts'
import { table } from './table.ts'

const pictures = resolve('test-results/browsers')

const product = await startProcess()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await Promise.all([product.stop(), endStarted()])
    process.exit(128 + constants.signals[signal])
  })
}

const played: Played[] = []
let faults = 0
try {
  for (const candidate of readCandidates(resolve('node_modules/.cache/tools.json'))) {
    try {
      const play = () => playStories(candidate, product, pictures)
      const one = await withProgress(`${candidate.name} over ${candidate.protocol}`, play)
      played.push(one)
      for (const outcome of one.outcomes) {
        if ('fault' in outcome) report(`${candidate.name}: ${outcome.story.title}`, outcome.fault)
      }
    } catch (error) {
      report(`${candidate.name} does not run`, error)
    }
  }
} finally {
  await product.stop()
}

function report(what: string, fault: unknown): void {
  faults += 1
  say(`\n${what}\n${inspect(fault)}`)
}

console.log(`\n${table(played)}`)
if (faults > 0) say(`\nWhat the visitor saw last is in ${pictures}.`)
process.exitCode = faults === 0 ? 0 : 1
