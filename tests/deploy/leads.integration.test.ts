import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builtFile } from '#tests/product/built-file.ts'
import { copyMigrated } from '#tests/store/copy-migrated.ts'

/** The script, which starts the built product. */
const script = resolve(builtFile(''), '../deploy/leads')

interface Said {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function runScript(
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>>,
): Promise<Said> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH ?? '', ...variables }
    const child = execFile('sh', [script, ...args], { cwd, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 0, stdout, stderr }),
    )
  })
}

/** Runs `leads stats` where no store exists, and resolves with the place in its error. */
const storePlaceOf = async (cwd: string, variables: Readonly<Record<string, string>>) =>
  (await runScript(['stats'], cwd, variables)).stderr

test('the leads command uses the units’ store, unless the shell sets another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'leads-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'store.env')
  await writeFile(file, `# Of the units.\nDATA_DIR=${folder}/production\nRETENTION_DAYS=90\n`)
  const onPostgres = join(folder, 'postgres.env')
  await writeFile(onPostgres, `DATABASE_URL_FILE=${folder}/database-url\n`)
  const [ofUnits, ofShell, ofClone] = await Promise.all([
    storePlaceOf(folder, { STORE_SETTINGS: file }),
    storePlaceOf(folder, { STORE_SETTINGS: onPostgres, DATA_DIR: `${folder}/mine` }),
    storePlaceOf(folder, { STORE_SETTINGS: `${folder}/none` }),
  ])
  expect(ofUnits).toContain(`There is no store at ${folder}/production/leads.sqlite.`)
  expect(ofShell).toContain(`There is no store at ${folder}/mine/leads.sqlite.`)
  expect(ofClone).toContain(`There is no store at ${folder}/data/leads.sqlite.`)
})

test('check, send-test-lead and alerts use a unit’s settings, and fail without them instead of using the sandbox', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'leads-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const STORE_SETTINGS = join(folder, 'store.env')
  await writeFile(STORE_SETTINGS, `DATA_DIR=${folder}/production\n`)
  for (const verb of ['check', 'send-test-lead', 'alerts']) {
    const blind = await runScript([verb, '--yes'], folder, { STORE_SETTINGS })
    expect(blind).toMatchObject({ code: 78, stdout: '' })
    expect(blind.stderr).toContain(`Run it as root: sudo leads ${verb}`)
  }
  await mkdir(join(folder, 'secrets'))
  await writeFile(join(folder, 'secrets/distributor-url'), 'http://127.0.0.1:1/')
  await writeFile(join(folder, 'worker.env'), 'ROLE=worker\nDATA_DIR=elsewhere\n')
  const [checked, sent] = await Promise.all([
    runScript(['check'], folder, { STORE_SETTINGS }),
    runScript(['send-test-lead', '--yes'], folder, { STORE_SETTINGS }),
  ])
  expect(checked.stderr).toContain(
    `Settings of campus-enquiry@worker: ${folder}/worker.env, ${STORE_SETTINGS}`,
  )
  expect(checked.stdout).toMatch(/^ok +settings +demo, ROLE=worker$/m)
  expect(checked.stdout).toMatch(/^FAULT +distributor .*127\.0\.0\.1:1.*ECONNREFUSED/m)
  expect(sent).toMatchObject({
    code: 69,
    stderr: expect.stringContaining('127.0.0.1:1: unreachable'),
  })
  await writeFile(join(folder, 'all.env'), 'APP_MODE=production\n')
  const whole = await runScript(['check'], folder, { STORE_SETTINGS })
  expect(whole).toMatchObject({ code: 78, stdout: expect.stringContaining('SITE_ORIGIN') })
  expect(whole.stdout).not.toContain('DISTRIBUTOR_URL is missing')
})

test('an invitation links to the console’s configured address', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'leads-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const STORE_SETTINGS = join(folder, 'store.env')
  await writeFile(STORE_SETTINGS, `DATA_DIR=${folder}\n`)
  await copyMigrated({ dataDir: folder })
  await writeFile(join(folder, 'all.env'), 'CONSOLE_PORT=4444\n')
  const invite = async (email: string, variables: Readonly<Record<string, string>> = {}) => {
    const words = ['operators', 'add', email, '--role', 'viewer']
    const { stdout } = await runScript(words, folder, { STORE_SETTINGS, ...variables })
    return /http\S+(?=\/sign-in\/invitation)/.exec(stdout)?.[0]
  }
  expect(await invite('ada@example.edu')).toBe('http://127.0.0.1:4444')
  // The console is a process with its own settings. The shell's variables take precedence here, too.
  await writeFile(join(folder, 'console.env'), 'CONSOLE_ORIGIN="https://console.example.edu"\n')
  expect(await invite('bob@example.edu')).toBe('https://console.example.edu')
  expect(await invite('eve@example.edu', { CONSOLE_ORIGIN: 'https://other.example.edu' })).toBe(
    'https://other.example.edu',
  )
})
