import { vi } from 'vitest'
import { makeLeadsCommand, runCommand } from '#cli/leads-command.ts'
import type { StoreSettings } from '#server/store/open-store.ts'
import type { EndedVerb } from './run-leads.ts'

/**
 * Like `runLeads`, but in the test's own process, for a command's output and effects. Pipes, signals and a full device
 * need a process, which takes twenty times as long to start as most commands run.
 */
export async function sayVerb(
  { dataDir, databaseUrl }: StoreSettings,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<EndedVerb> {
  vi.stubEnv('DATA_DIR', dataDir)
  vi.stubEnv('DATABASE_URL', databaseUrl)
  for (const [name, value] of Object.entries(more)) vi.stubEnv(name, value)
  const [stdout, stderr] = [process.stdout, process.stderr].map(listenTo)
  try {
    return {
      code: await runCommand(makeLeadsCommand(), args),
      stdout: stdout?.said() ?? '',
      stderr: stderr?.said() ?? '',
    }
  } finally {
    stdout?.leave()
    stderr?.leave()
    vi.unstubAllEnvs()
  }
}

function listenTo(stream: NodeJS.WriteStream) {
  let said = ''
  const spy = vi.spyOn(stream, 'write').mockImplementation((text, ...more) => {
    said += String(text)
    const written = more.at(-1)
    if (typeof written === 'function') process.nextTick(written)
    return true
  })
  return { said: () => said, leave: () => spy.mockRestore() }
}
