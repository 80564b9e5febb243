import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 60_000 })

const script = resolve(import.meta.dirname, '../../deploy/leads')

/** Resolves with what `leads stats` says where there is no store: the place that it took for it. */
function placeTaken(cwd: string, variables: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...variables }
    execFile('sh', [script, 'stats'], { cwd, env }, (_, __, stderr) => resolve(stderr))
  })
}

test('the operator’s command takes the store that the units have, unless the shell names another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'leads-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'store.env')
  await writeFile(file, `# Of the units.\nDATA_DIR=${folder}/production\nRETENTION_DAYS=90\n`)
  const onPostgres = join(folder, 'postgres.env')
  await writeFile(onPostgres, `DATABASE_URL_FILE=${folder}/database-url\n`)
  const [ofUnits, ofShell, ofClone] = await Promise.all([
    placeTaken(folder, { STORE_SETTINGS: file }),
    placeTaken(folder, { STORE_SETTINGS: onPostgres, DATA_DIR: `${folder}/mine` }),
    placeTaken(folder, { STORE_SETTINGS: `${folder}/none` }),
  ])
  expect(ofUnits).toContain(`There is no store at ${folder}/production/leads.sqlite.`)
  expect(ofShell).toContain(`There is no store at ${folder}/mine/leads.sqlite.`)
  expect(ofClone).toContain(`There is no store at ${folder}/data/leads.sqlite.`)
})
