import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { chdir, env, execPath, kill, stdout } from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError, Option } from 'commander'
import { type Check, checks, type Result, summaryOf, type Verdict, verdictOf } from './checks.ts'

/** The number of checks at a time. Most tests wait: integration tests alone use 1.4 of two cores. */
const AT_ONCE = 4

/** Milliseconds that a tool and its children get to end after SIGINT, before SIGKILL. */
const GRACE_MS = 8_000

/** Milliseconds to wait for a tool's last output after the tool has ended. */
const LAST_OUTPUT_MS = 1_000

const names = checks.map(({ name }) => name).join(',')
const onlyOption = new Option('--only <checks>', `some of ${names}, separated by commas`)
  .argParser(choose)
  .default(checks, 'all')
const { only } = new Command('npm test --')
  .description('Runs every check. The exit code is 0 only if all checks ran and passed.')
  .addOption(onlyOption)
  .parse()
  .opts<{ only: readonly Check[] }>()

function choose(list: string): readonly Check[] {
  const wanted = list.split(',')
  const unknown = wanted.find((name) => !checks.some((check) => check.name === name))
  if (unknown !== undefined) throw new InvalidArgumentError(`The checks are ${names}.`)
  return checks.filter(({ name }) => wanted.includes(name))
}

const running = new Set<ChildProcess>()
let stoppedBy: NodeJS.Signals | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stoppedBy ??= signal
    for (const child of running) void endGroupOf(child)
  })
}

chdir(fileURLToPath(new URL('..', import.meta.url)))
const startedAt = performance.now()
const results = new Map<Check, Result>()
const queue = [...only]
await Promise.all(Array.from({ length: AT_ONCE }, runQueue))
const took = (performance.now() - startedAt) / 1000
const ran = only.flatMap((check) => results.get(check) ?? [])
const notRun = only.filter((check) => !results.has(check)).map(({ name }) => name)
console.log(`\n== Summary\n${summaryOf(ran, notRun, took)}`)
const isGood = notRun.length === 0 && ran.every(({ failed }) => failed === 0)
process.exitCode = stoppedBy ? 128 + constants.signals[stoppedBy] : isGood ? 0 : 1

async function runQueue(): Promise<void> {
  for (let check = queue.shift(); check && !stoppedBy; check = queue.shift()) {
    const { name, tool } = check
    const begunAt = performance.now()
    if (existsSync(join('node_modules', tool))) {
      const verdict = await runCheck(check)
      const seconds = (performance.now() - begunAt) / 1000
      results.set(check, { name, seconds, ...verdict })
      say(name, `-- ${seconds.toFixed(1)} s`)
    } else {
      say(name, `The tool ${tool} is missing: delete node_modules and run npm test.`)
    }
  }
}

/** Checks run side by side, so each line names its check. */
function say(name: string, line: string): void {
  stdout.write(`${name.padEnd(12)}${line}\n`)
}

async function runCheck(check: Check): Promise<Verdict> {
  const { report } = check
  if (report) {
    // An earlier run's report must not count for this run.
    rmSync(report.file, { force: true })
    mkdirSync(dirname(report.file), { recursive: true })
  }
  const exitCode = await exitCodeOf(check)
  if (!report) return verdictOf(exitCode, undefined)
  if (!existsSync(report.file)) return { passed: 0, failed: 1, reason: 'its tool wrote no report' }
  return verdictOf(exitCode, report.read(JSON.parse(readFileSync(report.file, 'utf8'))))
}

async function exitCodeOf({ name, tool, args, env: own }: Check): Promise<number | null> {
  const child = spawn(execPath, [join('node_modules', tool), ...args], {
    env: { ...checkEnvironment(), ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The tool gets its own process group, so that the servers and browsers that it starts can be ended with it.
    detached: true,
  })
  running.add(child)
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => say(name, line))
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

async function endGroupOf(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  signalGroupOf(child, 'SIGINT')
  const isGone = await Promise.race([gone, setTimeout(GRACE_MS, undefined, { ref: false })])
  if (!isGone) signalGroupOf(child, 'SIGKILL')
  await gone
  signalGroupOf(child, 'SIGTERM')
}

function signalGroupOf({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) kill(-pid, signal)
  } catch {
    // `kill` throws if every process of the group has ended.
  }
}
