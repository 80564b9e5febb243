import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { compileCache } from '#tests/bundled/compile-cache.ts'

export interface EndedProcess {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built product where it is expected to end by itself; one that starts after all is ended and has no code. */
export async function runToEnd(
  env: Readonly<Record<string, string>>,
  projectFolder = resolve(import.meta.dirname, '../..'),
  args: readonly string[] = [],
): Promise<EndedProcess> {
  const main = resolve(projectFolder, 'dist/server/main.js')
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
