import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { env, execPath, kill, stdout } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import type { Check } from './checks.ts'
import { type Result, type Verdict, verdictOf } from './summary.ts'

/** The environment of checks: this project's programs first, no colors in a log. */
export function checkEnvironment(): NodeJS.ProcessEnv {
  const forChecks: NodeJS.ProcessEnv = {
    ...env,
    PATH: [resolve('node_modules/.bin'), env.PATH].join(delimiter),
  }
  if (stdout.isTTY) {
    // The tools do not see the terminal: what they say comes to it by way of us.
    if (!env.NO_COLOR) forChecks.FORCE_COLOR ??= '1'
  } else {
    forChecks.NO_COLOR = '1'
    // It would win over NO_COLOR, and Node warns where both are set.
    delete forChecks.FORCE_COLOR
  }
  return forChecks
}

/** Where one check's output goes. */
export interface OutputTurn {
  write(text: string | Uint8Array): void
  /** It has said everything. */
  end(): void
}

/**
 * Checks that run side by side are heard one after the other, in the order in which they began: the first as it
 * speaks, each other one from when those before it have ended.
 */
export class OutputTurns {
  readonly #out: { write(text: string | Uint8Array): unknown }
  readonly #turns: { held: (string | Uint8Array)[]; isOver: boolean }[] = []

  constructor(out: { write(text: string | Uint8Array): unknown }) {
    this.#out = out
  }

  next(): OutputTurn {
    const turn = { held: [] as (string | Uint8Array)[], isOver: false }
    this.#turns.push(turn)
    return {
      write: (text) => {
        if (this.#turns[0] === turn) this.#out.write(text)
        else turn.held.push(text)
      },
      end: () => {
        turn.isOver = true
        this.#hearThoseWhoseTurnItIs()
      },
    }
  }

  #hearThoseWhoseTurnItIs(): void {
    while (this.#turns[0]?.isOver) {
      this.#turns.shift()
      for (const text of this.#turns[0]?.held.splice(0) ?? []) this.#out.write(text)
    }
  }
}

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

/** A third finds no processor time that two have left. */
const AT_ONCE = 2

/**
 * Begins the checks in their order, the next one whenever one has ended.
 * @param isStopped asked before each: the rest is then left
 * @returns of those that were run, in their order
 */
export async function runChecks(
  checks: readonly Check[],
  env: NodeJS.ProcessEnv,
  isStopped: () => boolean,
): Promise<readonly Result[]> {
  const turns = new OutputTurns(stdout)
  const results = new Map<Check, Result>()
  const queue = [...checks]
  const runInTurn = async () => {
    for (let check = queue.shift(); check && !isStopped(); check = queue.shift()) {
      const { name, heading, tool } = check
      const turn = turns.next()
      turn.write(`\n== ${heading}\n`)
      if (hasTool(check)) {
        const startedAt = performance.now()
        const verdict = await runCheck(check, env, turn)
        const seconds = (performance.now() - startedAt) / 1000
        results.set(check, { name, seconds, ...verdict })
        turn.write(`-- ${name}: ${seconds.toFixed(1)} s\n`)
      } else {
        turn.write(`Its tool, ${tool}, is missing: delete node_modules and run npm test.\n`)
      }
      turn.end()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runInTurn))
  return checks.flatMap((check) => results.get(check) ?? [])
}
