import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { StoreSettings } from '#server/store/open-store.ts'
import { bundledProgram } from '#tests/bundled/bundled-program.ts'
import { compileCache } from '#tests/bundled/compile-cache.ts'

export interface EndedVerb {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts a command on a store as a shell without a terminal would. */
export function startLeads(
  { dataDir, databaseUrl }: StoreSettings,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
) {
  return spawn(process.execPath, [...nodeOptions, bundledProgram('leads'), ...args], {
    env: {
      PATH: process.env.PATH,
      ...compileCache(),
      DATA_DIR: dataDir,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export async function runLeads(...args: Parameters<typeof startLeads>): Promise<EndedVerb> {
  const child = startLeads(...args)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code, stdout, stderr }
}
