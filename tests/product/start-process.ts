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
  /** With a link that signs in; empty in a role without a console. */
  readonly consoleLink: string
  readonly dataDir: string
  readonly process: ChildProcess
  /** Everything that it has written to stdout so far: JSON lines. */
  readonly log: () => string
  /** Everything that it has written to stderr so far: words for a person. */
  readonly words: () => string
  readonly stop: () => Promise<void>
}

export interface LaunchedProduct {
  readonly process: ChildProcess
  /** Resolves once it serves; rejects where it ends before. */
  readonly ready: Promise<RunningProduct>
}

/**
 * Starts the built product as an operator would, on free ports and with a data folder of its own; but without the source
 * maps that an operator's stack traces are told by, which cost a fifth of a start.
 * @param script another one than the product's own, with its arguments
 */
export async function startProcess(
  env: Record<string, string> = {},
  script?: readonly string[],
): Promise<RunningProduct> {
  return (await launchProcess(env, script)).ready
}

/** The same for a test that has something to do to it before it serves. */
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
    child.on('exit', (code) => onExit(new Error(`the product ended with ${code}:\n${log}`)))
  })
  // Who kills it while it starts has no use for that news.
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
