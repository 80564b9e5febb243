import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { compileCache } from '#tests/bundled/compile-cache.ts'
import { builtFile } from './built-file.ts'
import { freePort } from './free-port.ts'

export interface RunningProduct {
  readonly url: string
  readonly sandboxUrl: string
  /** The console's address with a link that signs in; empty in a role without a console. */
  readonly consoleLink: string
  readonly dataDir: string
  readonly process: ChildProcess
  /** Everything that the process has written to stdout so far: JSON lines. */
  readonly log: () => string
  /** Everything that the process has written to stderr so far: text for a person. */
  readonly words: () => string
  readonly stop: () => Promise<void>
}

export interface LaunchedProduct {
  readonly process: ChildProcess
  /** Resolves once the product serves; rejects if it ends before. */
  readonly ready: Promise<RunningProduct>
}

/**
 * Starts the built product as an operator would, on free ports and with its own data folder. It omits source maps,
 * which only improve stack traces and cost a fifth of a start.
 * @param script a script and its arguments, in place of the product's own
 */
export async function startProcess(
  env: Record<string, string> = {},
  script?: readonly string[],
): Promise<RunningProduct> {
  return (await launchProcess(env, script)).ready
}

/** Like {@link startProcess}, for a test that acts before the product serves. */
export async function launchProcess(
  env: Record<string, string> = {},
  script: readonly string[] = [builtFile('server/main.js')],
): Promise<LaunchedProduct> {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'enquiry-')))
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, script, {
    env: {
      PATH: process.env.PATH,
      ...compileCache(),
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      CONSOLE_PORT: '0',
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  let words = ''
  child.stderr.on('data', (text) => {
    words += String(text)
  })
  const lines = createInterface({ input: child.stdout })
  const ready = new Promise<RunningProduct>((onReady, onExit) => {
    lines.on('line', (line) => {
      log += `${line}\n`
      if (line.includes('"msg":"ready"')) onReady(running(JSON.parse(line).port))
    })
    child.on('exit', (code) => onExit(new Error(`the product ended with ${code}:\n${log}${words}`)))
  })
  // A test that kills the product during its start ignores this rejection.
  ready.catch(() => undefined)
  const running = (listensAt: number): RunningProduct => ({
    url: `http://127.0.0.1:${listensAt}`,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    consoleLink: /^ +Console +(\S+)$/m.exec(words)?.[1] ?? '',
    dataDir,
    process: child,
    log: () => log,
    words: () => words,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      if (env.DATA_DIR === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  })
  return { process: child, ready }
}
