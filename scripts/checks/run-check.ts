import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execPath, kill } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import type { Check } from './checks.ts'
import type { OutputTurn } from './output-turns.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/** From asking a tool to end (as Ctrl-C does) to killing it and all it started. */
const GRACE_MS = 8_000

/** For what a tool that has ended had still to say. */
const LAST_WORDS_MS = 1_000

const running = new Set<ChildProcess>()

/** Runs one check's tool, and hands on what it says. */
export async function runCheck(
  check: Check,
  env: NodeJS.ProcessEnv,
  output: Pick<OutputTurn, 'write'>,
): Promise<Verdict> {
  const { report } = check
  if (report) {
    // An earlier run's report must not speak for this one.
    rmSync(report.file, { force: true })
    mkdirSync(dirname(report.file), { recursive: true })
  }
  const exitCode = await exitCodeOf(check, { ...env, ...check.env }, output)
  if (!report) return verdictOf(exitCode, undefined)
  if (!existsSync(report.file)) return { passed: 0, failed: 1, reason: 'it wrote no report' }
  return verdictOf(exitCode, report.read(JSON.parse(readFileSync(report.file, 'utf8'))))
}

export function hasTool(check: Check): boolean {
  return existsSync(toolOf(check))
}

function toolOf({ tool }: Check): string {
  return join('node_modules', tool)
}

async function exitCodeOf(
  check: Check,
  env: NodeJS.ProcessEnv,
  output: Pick<OutputTurn, 'write'>,
): Promise<number | null> {
  // A process group of its own, so that what the tool starts (servers, browsers) can be ended with it.
  const child = spawn(execPath, [toolOf(check), ...check.args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  const streams = [child.stdout, child.stderr]
  for (const stream of streams) stream.on('data', output.write)
  const said = Promise.all(streams.map((stream) => once(stream, 'end')))
  try {
    const [code] = await once(child, 'exit')
    // What a tool has left behind may hold its output open for ever.
    await Promise.race([said, setTimeout(LAST_WORDS_MS, undefined, { ref: false })])
    return code
  } finally {
    running.delete(child)
  }
}

/** Ends the running checks' tools and what they started, and waits until the tools are gone. */
export async function endRunningChecks(): Promise<void> {
  await Promise.all([...running].map(endGroupOf))
}

async function endGroupOf(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  const group = child.pid
  const gone = once(child, 'exit')
  signalGroup(group, 'SIGINT')
  const isGone = await Promise.race([gone, setTimeout(GRACE_MS, undefined, { ref: false })])
  if (!isGone) signalGroup(group, 'SIGKILL')
  await gone
  signalGroup(group, 'SIGTERM')
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    kill(-leader, signal)
  } catch {
    // Nobody of the group is left.
  }
}
