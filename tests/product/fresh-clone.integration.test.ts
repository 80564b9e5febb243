import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from './free-port.ts'

const root = resolve(import.meta.dirname, '../..')

/** Resolves with the port that it says it listens on. Rejects where it ends before, with its words. */
function ready(child: ChildProcess, ended: Promise<unknown>): Promise<number> {
  let words = ''
  child.stderr?.on('data', (text) => {
    words += text
  })
  return new Promise((onReady, onEnd) => {
    if (child.stdout === null) return onEnd(new Error('no stdout'))
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"msg":"ready"')) onReady(JSON.parse(line).port)
    })
    void ended.then(() => onEnd(new Error(`npm start ended with ${child.exitCode}:\n${words}`)))
  })
}

// What was unpacked from an archive has no history to clone.
test.skipIf(!existsSync(join(root, '.git')))(
  'a fresh clone with nothing installed: npm start serves, and SIGTERM to npm ends it with 0',
  { timeout: 180_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clone-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await promisify(execFile)('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, folder])
    expect(existsSync(join(folder, 'node_modules'))).toBe(false)
    const [port, consolePort] = [await freePort(), await freePort()]
    const { HOME = '', PATH = '' } = process.env
    const npm = spawn('npm', ['start'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        HOME,
        PATH,
        // What these checks were installed from lies in npm's cache.
        npm_config_prefer_offline: 'true',
        PORT: String(port),
        CONSOLE_PORT: String(consolePort),
        SANDBOX_PORT: '0',
      },
    })
    const ended = once(npm, 'exit')
    onTestFinished(async () => {
      npm.kill('SIGTERM')
      await ended
    })
    expect(await ready(npm, ended)).toBe(port)
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('Step 1 of 4')
    npm.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)
