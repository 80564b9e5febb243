import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { chdir, env, execPath, kill, stdout } from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError, Option } from 'commander'
import {
  type Check,
  checks,
  formatSummary,
  judgeCheck,
  limitToChanges,
  type Result,
  type Verdict,
} from './checks.ts'

/** The number of checks at a time. Most tests wait: integration tests alone use 1.4 of two cores. */
const AT_ONCE = 4

/** Milliseconds that a tool and its children get to end after SIGINT, before SIGKILL. */
const GRACE_MS = 8_000

/** Milliseconds to wait for a tool's last output after the tool has ended. */
const LAST_OUTPUT_MS = 1_000

const names = checks.map(({ name }) => name).join(',')
const onlyOption = new Option('--only <checks>', `some of ${names}, separated by commas`)
  .argParser(parseCheckNames)
  .default(checks, 'all')
const changedOption = new Option(
  '--changed [revision]',
  'only what can be affected by files that differ from this Git revision',
).preset('HEAD')
const { only, changed } = new Command('npm test --')
  .description('Runs every check. The exit code is 0 only if all checks ran and passed.')
  .addOption(onlyOption)
  .addOption(changedOption)
  .addHelpText('after', help())
  .parse()
  .opts<{ only: readonly Check[]; changed?: string }>()

function help(): string {
  return `
Checks, in the order of their starts:
  types        TypeScript
  lint         Biome
  unit         tests without databases, servers and processes; tests of documents and texts
  journeys     visitors and operators in a browser
  integration  tests in src with a server or a store, on SQLite and PostgreSQL
  product      tests of the whole product: processes, deployment, upgrades, commands in documents
  faults       kills, full disks, lost databases; starts when product has ended
  tools        tests of scripts, alert rules and regular expressions; starts when unit has ended

npm run test:quick runs types, lint, unit and integration, in two minutes.

--changed runs types, lint and unit as a whole. Of integration, it runs the tests that import a changed file,
directly or not. The other checks build or read the product: they run as a whole if the product or its texts
changed, and otherwise only the tests that import a changed file.
A check that no change can affect passes with “no test to run”.`
}

function parseCheckNames(list: string): readonly Check[] {
  const wanted = list.split(',')
  const unknown = wanted.find((name) => !checks.some((check) => check.name === name))
  if (unknown !== undefined) throw new InvalidArgumentError(`The checks are ${names}.`)
  return checks.filter(({ name }) => wanted.includes(name))
}

/** The files that differ from a revision, and those that Git doesn't know. */
function findChanges(revision: string): readonly string[] {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
  return [
    ...git('diff', '--name-only', '--no-renames', revision, '--'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
}

const running = new Set<ChildProcess>()
let stoppedBy: NodeJS.Signals | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stoppedBy ??= signal
    for (const child of running) void endProcessGroup(child)
  })
}

chdir(fileURLToPath(new URL('..', import.meta.url)))
const startedAt = performance.now()
const results = new Map<Check, Result>()
const selected = changed === undefined ? only : limit(only, changed)
const queue = [...selected]
/** The checks that have not ended, by name; each promise resolves when its check ends. */
const unfinished = new Map(selected.map(({ name }) => [name, Promise.withResolvers<void>()]))
await Promise.all(Array.from({ length: AT_ONCE }, runQueue))
const took = (performance.now() - startedAt) / 1000
const ran = selected.flatMap((check) => results.get(check) ?? [])
const notRun = selected.filter((check) => !results.has(check)).map(({ name }) => name)
console.log(`\n== Summary\n${formatSummary(ran, notRun, took)}`)
const isGood = notRun.length === 0 && ran.every(({ failed }) => failed === 0)
process.exitCode = stoppedBy ? 128 + constants.signals[stoppedBy] : isGood ? 0 : 1

function limit(wanted: readonly Check[], revision: string): readonly Check[] {
  const files = findChanges(revision)
  printLine('changed', `${files.length} files differ from ${revision}`)
  return wanted.map((check) => limitToChanges(check, revision, files))
}

async function runQueue(): Promise<void> {
  while (queue.length > 0 && !stoppedBy) {
    const check = takeNext()
    if (check === undefined) {
      await Promise.race(queue.flatMap(({ after = '' }) => unfinished.get(after)?.promise ?? []))
      continue
    }
    await run(check)
    unfinished.get(check.name)?.resolve()
    unfinished.delete(check.name)
  }
}

/** Takes the first check that need not wait for another one. */
function takeNext(): Check | undefined {
  const index = queue.findIndex(({ after = '' }) => !unfinished.has(after))
  return index < 0 ? undefined : queue.splice(index, 1)[0]
}

async function run(check: Check): Promise<void> {
  const { name, tool } = check
  if (!existsSync(join('node_modules', tool))) {
    printLine(name, `The tool ${tool} is missing: delete node_modules and run npm test.`)
    return
  }
  const begunAt = performance.now()
  const verdict = await runCheck(check)
  const seconds = (performance.now() - begunAt) / 1000
  results.set(check, { name, seconds, ...verdict })
  printLine(name, `-- ${seconds.toFixed(1)} s`)
}

/** Checks run side by side, so each line names its check. */
function printLine(name: string, line: string): void {
  stdout.write(`${name.padEnd(12)}${line}\n`)
}

async function runCheck(check: Check): Promise<Verdict> {
  const { report } = check
  if (report) {
    // An earlier run's report must not count for this run.
    rmSync(report.file, { force: true })
    mkdirSync(dirname(report.file), { recursive: true })
  }
  const exitCode = await runTool(check)
  if (!report) return judgeCheck(exitCode, undefined)
  if (!existsSync(report.file)) return { passed: 0, failed: 1, reason: 'its tool wrote no report' }
  const counts = report.read(JSON.parse(readFileSync(report.file, 'utf8')))
  return judgeCheck(exitCode, counts, check.mayBeEmpty)
}

async function runTool({ name, tool, args, env: own }: Check): Promise<number | null> {
  const child = spawn(execPath, [join('node_modules', tool), ...args], {
    env: { ...checkEnvironment(), ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The tool gets its own process group, so that the servers and browsers that it starts can be ended with it.
    detached: true,
  })
  running.add(child)
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => printLine(name, line))
  }
  const closed = once(child, 'close')
  try {
    const [code] = await once(child, 'exit')
    // A process that the tool left behind may hold its output open forever.
    await Promise.race([closed, setTimeout(LAST_OUTPUT_MS, undefined, { ref: false })])
    return code
  } finally {
    running.delete(child)
  }
}

/** Puts this project's programs first on the PATH, and turns colors off for a log. */
function checkEnvironment(): NodeJS.ProcessEnv {
  const PATH = [resolve('node_modules/.bin'), env.PATH].join(delimiter)
  // The tools write to a pipe, so they need FORCE_COLOR. Node warns if FORCE_COLOR and NO_COLOR are both set.
  return stdout.isTTY && !env.NO_COLOR
    ? { FORCE_COLOR: '1', ...env, PATH }
    : { ...env, PATH, NO_COLOR: '1', FORCE_COLOR: undefined }
}

async function endProcessGroup(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  signalProcessGroup(child, 'SIGINT')
  const isGone = await Promise.race([gone, setTimeout(GRACE_MS, undefined, { ref: false })])
  if (!isGone) signalProcessGroup(child, 'SIGKILL')
  await gone
  signalProcessGroup(child, 'SIGTERM')
}

function signalProcessGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) kill(-pid, signal)
  } catch {
    // `kill` throws if every process of the group has ended.
  }
}
