import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { compileCache } from '#tests/bundled/compile-cache.ts'
import { builtFile } from './built-file.ts'

export interface EndedProcess {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built product in tests that expect it to end by itself. If it starts, it is stopped and has no exit code. */
export async function runToEnd(
  env: Readonly<Record<string, string>>,
  main = builtFile('server/main.js'),
  args: readonly string[] = [],
): Promise<EndedProcess> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, ...compileCache(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.on('data', (line) => {
    if (String(line).includes('"msg":"ready"')) child.kill('SIGKILL')
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code, stdout, stderr }
}
