import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chdir, cwd, pid } from 'node:process'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { parseAst } from 'vite'
import { createVitest } from 'vitest/node'
import { findMutations, type Mutation } from './mutations.ts'

chdir(fileURLToPath(new URL('..', import.meta.url)))

const command = new Command('node scripts/mutate.ts')
  .description(
    'Breaks the code in one place at a time, and runs the tests of the folder. A break that no test notices has survived.',
  )
  .argument('<folders...>', 'folders of src, such as src/domain')
  .option('--count <number>', 'how many breaks to try, spread over all folders', Number, 100)
  .option('--seed <number>', 'selects the breaks', Number, 1)
  .option('--minutes <number>', 'stops after this time', Number, 60)
  .parse()
const { count, seed, minutes } = command.opts<Record<'count' | 'seed' | 'minutes', number>>()

/** A place to break, in a file of one of the command's folders. */
interface Break {
  readonly folder: string
  readonly path: string
  readonly mutation: Mutation
}

const all = command.args.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.ts$/.test(path) && !/\.(test|bench)\.ts$/.test(path))
    .flatMap((path): Break[] => {
      const code = readFileSync(path, 'utf8')
      const mutations = findMutations(parseAst(code, { lang: 'ts' }), code)
      return mutations.map((mutation) => ({ folder, path, mutation }))
    }),
)
const chosen = all.toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1)).slice(0, count)

/** Longer than the tests of any folder take on a busy machine. A break that makes them endless is noticed. */
const longestMs = 60_000

const vitest = await createVitest('test', {
  watch: false,
  bail: 1,
  project: ['unit', 'integration'],
  // SQLite's thread runs a bundle from before the break.
  testNamePattern: '^(?!.*SQLite)',
  reporters: [{}],
  silent: true,
})
await vitest.standalone()
const until = performance.now() + minutes * 60_000
let killed = 0
const survivors: string[] = []
try {
  for (const folder of command.args) {
    if (await fails(folder)) throw new Error(`The tests of ${folder} fail without a break.`)
  }
  for (const broken of chosen) {
    if (performance.now() > until) break
    const isNoticed = await isKilled(broken)
    if (isNoticed) killed++
    else survivors.push(describe(broken))
    console.log(isNoticed ? 'killed  ' : 'SURVIVED', describe(broken))
  }
} finally {
  await vitest.close()
}
const tried = killed + survivors.length
console.log(`\nSurvivors:\n${survivors.join('\n')}`)
console.log(
  `\n${killed} of ${tried} killed (${Math.round((100 * killed) / tried)} %); ${all.length} possible, seed ${seed}`,
)
process.exit()

/** Breaks the file, runs the tests beside it and then those of the whole folder, and repairs the file. */
async function isKilled({ folder, path, mutation }: Break): Promise<boolean> {
  const original = readFileSync(path, 'utf8')
  const write = (code: string) => {
    writeFileSync(path, code)
    vitest.invalidateFile(join(cwd(), path))
  }
  const repair = () => write(original)
  process.once('exit', repair)
  const { start, end, text } = mutation
  try {
    write(original.slice(0, start) + text + original.slice(end))
    for (const tested of new Set([dirname(path), folder])) if (await fails(tested)) return true
    return false
  } finally {
    repair()
    process.off('exit', repair)
  }
}

async function fails(folder: string): Promise<boolean> {
  const specifications = await vitest.globTestSpecifications([`${folder}/`])
  if (specifications.length === 0) return false
  const limit = setTimeout(killWorkers, longestMs)
  const ended = await vitest.runTestSpecifications(specifications)
  clearTimeout(limit)
  // Vitest also lists the modules of earlier runs.
  const ran = new Set(specifications.map(({ moduleId }) => moduleId))
  const failed = ended.testModules.some((module) => ran.has(module.moduleId) && !module.ok())
  return ended.unhandledErrors.length > 0 || failed
}

/** Ends the processes that run tests: an endless loop in one of them hears no signal. Their run then fails. */
function killWorkers(): void {
  spawnSync('pkill', ['-9', '-P', String(pid), '-f', 'vitest'])
}

function describe({ path, mutation: { start, end, text } }: Break): string {
  const code = readFileSync(path, 'utf8')
  const line = code.slice(0, start).split('\n').length
  const short = (part: string) => part.replaceAll(/\s+/g, ' ').slice(0, 70)
  return `${path}:${line}  ${short(code.slice(start, end))}  →  ${short(text) || '(nothing)'}`
}

/** The place in a random order, which is the same for the same seed. */
function rankOf({ path, mutation: { start, end, text } }: Break): string {
  return hash('sha256', `${seed} ${path} ${start} ${end} ${text}`)
}
