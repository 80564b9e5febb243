import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { StoreSettings } from '#server/store/open-store.ts'
import { bundledProgram } from '#tests/bundled/bundled-program.ts'

/** Runs several processes on one store at once. Resolves with the report of each. */
export async function runStoreProcesses<Report>(
  count: number,
  verb: 'migrate' | 'accept' | 'claim',
  settings: StoreSettings,
): Promise<readonly Report[]> {
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, [bundledProgram('store-process'), verb, JSON.stringify(settings)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  )
  try {
    await Promise.all(children.map((child) => once(child.stdout, 'data')))
    for (const child of children) child.stdin.end('go\n')
    return await Promise.all(
      children.map(async (child) => {
        const [output, errors, [code]] = await Promise.all([
          text(child.stdout),
          text(child.stderr),
          once(child, 'exit'),
        ])
        if (code !== 0) throw new Error(`A process on the store failed:\n${errors}`)
        return JSON.parse(output) as Report
      }),
    )
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
}
