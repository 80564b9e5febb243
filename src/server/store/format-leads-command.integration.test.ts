import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { sayVerb } from '#tests/cli/say-verb.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { formatLeadsCommand } from './format-leads-command.ts'
import { openStore } from './open-store.ts'

const origin = 'http://127.0.0.1:4567'

/** Pastes the command into a shell with these variables, and returns the variables that the command gets. */
function paste(command: string, shell: Readonly<Record<string, string>>): Record<string, string> {
  const script = command.replace('npm run leads --', 'env -0')
  const env = { PATH: process.env.PATH, ...shell }
  const printed = execFileSync('sh', ['-c', script], { env, encoding: 'utf8' })
  return Object.fromEntries(
    printed
      .split('\0')
      .filter((line) => /^(DATA|CONSOLE)/.test(line))
      .map((line) => line.split(/=(.*)/s)),
  )
}

describe.each(storePlaces)(
  'the suggested command, pasted for a store on $name,',
  ({ makePlace }) => {
    test('finds the store and the console, and shows no password', async () => {
      const place = await makePlace()
      onTestFinished(() => place.remove())
      const store = await openStore(place.settings)
      onTestFinished(() => store.close())
      await store.migrate()
      const settings = { databaseUrl: undefined, ...place.settings }
      const command = formatLeadsCommand({ mode: 'demo', store: settings }, origin)
      const { databaseUrl } = settings
      if (databaseUrl) expect(command).not.toContain(new URL(databaseUrl).password || databaseUrl)
      const got = paste(command, databaseUrl ? { DATABASE_URL: databaseUrl } : {})
      const { code, stdout } = await sayVerb({ dataDir: '/nowhere' }, ['stats'], got)
      expect([code, stdout]).toEqual([0, expect.stringContaining(store.place)])
      const email = 'ada@example.edu'
      const added = ['operators', 'add', email, '--role', 'admin']
      expect((await sayVerb({ dataDir: '/nowhere' }, added, got)).stdout).toContain(`${origin}/`)
    })
  },
)

test('a folder with spaces and quotes survives the shell', async () => {
  const made = await mkdtemp(join(tmpdir(), 'leads-'))
  const dataDir = join(tmpdir(), `Ada’s & "Bo's" $HOME leads ${Date.now()}`)
  await rename(made, dataDir)
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const store = { dataDir, databaseUrl: undefined }
  expect(paste(formatLeadsCommand({ mode: 'demo', store }, origin), {}).DATA_DIR).toBe(dataDir)
})

test('the command names the file that the server reads the URL from', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'leads-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'own-url')
  await writeFile(file, 'postgres://ada:secret@127.0.0.1/leads')
  vi.stubEnv('DATABASE_URL_FILE', file)
  onTestFinished(() => void vi.unstubAllEnvs())
  const store = { dataDir: './data', databaseUrl: readFileSync(file, 'utf8') }
  const command = formatLeadsCommand({ mode: 'demo', store }, origin)
  expect(paste(command, { DATABASE_URL: 'postgres://x' })).toMatchObject({
    DATABASE_URL: '',
    DATABASE_URL_FILE: file,
  })
})

test('production has the installed command', () => {
  const store = { dataDir: '/x', databaseUrl: 'postgres://ada:secret@127.0.0.1/leads' }
  expect(formatLeadsCommand({ mode: 'production', store }, origin)).toBe('sudo leads')
})
