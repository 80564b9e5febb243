import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runStatements } from './run-statements.ts'

const startScript = `
  import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, 'start-postgres.ts'))}
  console.log((await startPostgres()).url)`

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  '%s leaves neither a server nor a folder',
  async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'start-postgres-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    // The folder has the mode of /tmp, because the server may run as another user.
    chmodSync(folder, 0o1777)
    const run = spawn(process.execPath, ['--input-type=module', '-e', startScript], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = await once(run.stdout, 'data')
    const url = String(said).trim()
    await runStatements(url, 'select 1')
    expect(readdirSync(folder)).toHaveLength(1)

    run.kill(signal)
    await once(run, 'exit')
    await expect.poll(() => readdirSync(folder)).toEqual([])
    await expect(runStatements(url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  },
  30_000,
)
