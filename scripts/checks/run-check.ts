import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execPath, kill } from 'node:process'
import type { Check } from './checks.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/** From asking a tool to end (as Ctrl-C does) to killing it and all it started. */
const GRACE_MS = 8_000

let running: ChildProcess | undefined

/** Runs one check's tool with its output passed through. */
export async function runCheck(check: Check, env: NodeJS.ProcessEnv): Promise<Verdict> {
  const { report } = check
  if (report) {
    // An earlier run's report must not speak for this one.
    rmSync(report.file, { force: true })
    mkdirSync(dirname(report.file), { recursive: true })
  }
  const exitCode = await exitCodeOf(check, { ...env, ...check.env })
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

function exitCodeOf(check: Check, env: NodeJS.ProcessEnv): Promise<number | null> {
  return new Promise((resolve, reject) => {
    // A process group of its own, so that what the tool starts (servers, browsers) can be ended with it.
    const stdio = ['ignore', 'inherit', 'inherit'] as const
    const child = spawn(execPath, [toolOf(check), ...check.args], {
      env,
      stdio: [...stdio],
      detached: true,
    })
    running = child
    child.once('error', reject)
    child.once('exit', (code) => {
      running = undefined
      resolve(code)
    })
  })
}

/** Ends the running check's tool and what it started, and waits until the tool is gone. */
export async function endRunningCheck(): Promise<void> {
  const child = running
  if (child?.pid === undefined) return
  const group = child.pid
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const killer = setTimeout(() => signalGroup(group, 'SIGKILL'), GRACE_MS)
  signalGroup(group, 'SIGINT')
  await gone
  clearTimeout(killer)
  signalGroup(group, 'SIGTERM')
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    kill(-leader, signal)
  } catch {
    // Nobody of the group is left.
  }
}
