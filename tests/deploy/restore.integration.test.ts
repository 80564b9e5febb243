import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  copyFile,
  mkdir,
  mkdtemp,
  open as openFile,
  readdir,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { markStoreMoved } from '#server/platform/database/store-state.ts'
import { openStore, type StoreSettings } from '#server/store/open-store.ts'
import { runLeads } from '#tests/cli/run-leads.ts'
import { sayVerb } from '#tests/cli/say-verb.ts'
import { drained, waiting } from '#tests/faults/account.ts'
import { type Behaviour, startDistributor, takes } from '#tests/faults/distributor.ts'
import { productEnv } from '#tests/faults/product-env.ts'
import { startVisitors } from '#tests/faults/visitors.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { runToEnd } from '#tests/product/run-to-end.ts'
import { type RunningProduct, startProcess } from '#tests/product/start-process.ts'
import { toolPath } from '#tests/programs/tool-path.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { postgresPlace, type StorePlace, sqlitePlace, usePlace } from '#tests/store/store-places.ts'

const run = promisify(execFile)
const pageSize = 4096
const postgresBin = toolPath('postgres')

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'backup-'))
  onTestFinished(() => rm(made, { recursive: true }))
  return made
}

interface Way {
  readonly name: string
  readonly makePlace: () => Promise<StorePlace>
  /** Backing up and restoring as in docs/deploy.md. `restore` resolves with the new store's settings. */
  readonly backUp: (settings: StoreSettings, file: string) => Promise<void>
  readonly restore: (file: string) => Promise<StoreSettings>
}

const ways: readonly Way[] = [
  {
    name: 'SQLite, by the verb',
    makePlace: sqlitePlace,
    backUp: async (settings, file) => {
      expect(await runLeads(settings, ['backup', file])).toMatchObject({ code: 0, stderr: '' })
    },
    restore: async (file) => {
      const dataDir = join(await folder(), 'data')
      await mkdir(dataDir, { mode: 0o700 })
      await copyFile(file, join(dataDir, 'leads.sqlite'))
      return { dataDir }
    },
  },
  {
    name: 'PostgreSQL, by the verb and pg_dump',
    makePlace: postgresPlace,
    backUp: async (settings, file) => {
      const PATH = `${postgresBin}:${process.env.PATH}`
      const { code, stdout, stderr } = await runLeads(settings, ['backup', file], [], { PATH })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(
        /^Store: .*in use by all, process.*\n\nAt least [\d,]+ leads, in .*checked/s,
      )
      expect((await stat(file)).mode & 0o777).toBe(0o600)
    },
    restore: async (file) => {
      const { url, drop } = await freshDatabase(inject('postgresUrl'))
      onTestFinished(drop)
      const options = ['--no-owner', '--exit-on-error', '--single-transaction', `--dbname=${url}`]
      await run(join(postgresBin, 'pg_restore'), [...options, file])
      return { dataDir: 'unused', databaseUrl: url }
    },
  },
]

/** The npm package of PostgreSQL lacks the client programs. */
const hasClient = existsSync(join(postgresBin, 'pg_dump'))

test.for(ways.filter(({ name }) => hasClient || name.startsWith('SQLite')))(
  'a backup under load, restored into an empty place, has every lead acknowledged before it and continues deliveries: $name',
  async ({ makePlace, backUp, restore }) => {
    const distributor = await startDistributor(takesOnly(50))
    onTestFinished(distributor.stop)
    const { settings, remove } = await makePlace()
    onTestFinished(remove)
    const file = join(await folder(), 'leads.backup')
    const product = await start(settings, distributor)
    const visitors = startVisitors({ atOnce: 4, rest: 10, site: async () => product.url })
    onTestFinished(visitors.leave)
    await expect.poll(() => visitors.acknowledged.size).toBeGreaterThan(120)

    const promised = [...visitors.acknowledged.values()]
    await backUp(settings, file)
    expect(visitors.acknowledged.size).toBeGreaterThan(promised.length)
    await visitors.leave()
    product.process.kill('SIGKILL')

    const restored = await restore(file)
    expect(await sayVerb(restored, ['restored'])).toMatchObject({ code: 0 })
    const stored = new Set((await askStore(restored, 'select id from leads')).map(({ id }) => id))
    expect(promised.filter((id) => !stored.has(id))).toEqual([])
    distributor.behave(takes)
    const next = await start(restored, distributor)
    expect(await (await fetch(`${next.url}/readyz`)).text()).toContain('restored')
    expect(await waiting(restored)).toBeGreaterThan(0)

    const inDoubt = await sayVerb(restored, ['list', '--restored', '--take', '1', '--json'])
    const [{ id: settled }] = JSON.parse(inDoubt.stdout)
    const settleActions = ['settle', settled, '--as', 'delivered']
    expect(await sayVerb(restored, settleActions)).toMatchObject({ code: 0 })
    expect((await sayVerb(restored, ['show', settled])).stdout).toMatch(
      /^delivery_settled_by_hand +true$/m,
    )
    expect(await sayVerb(restored, ['resume'])).toMatchObject({ code: 0 })
    await drained(restored)
    const received = new Set(distributor.received)
    expect(received.has(settled)).toBe(false)
    expect(promised.filter((id) => id !== settled && !received.has(id))).toEqual([])
    const later = startVisitors({ atOnce: 1, enquiries: 1, site: async () => next.url })
    await later.gone
    expect(later.acknowledged.size).toBe(1)
  },
)

/** A distributor that accepts a number of leads and then fails. */
function takesOnly(many: number): Behaviour {
  let taken = 0
  return (request, response) => {
    if (taken++ < many) takes(request, response)
    else response.writeHead(503).end()
  }
}

async function start(
  settings: StoreSettings,
  distributor: { readonly url: string },
): Promise<RunningProduct> {
  const product = await startProcess(productEnv(settings, distributor))
  onTestFinished(() => product.stop())
  return product
}

describe('leads backup', () => {
  const { open, settings } = usePlace(sqlitePlace)

  test('a backup is one private file, and the command reports its content', async () => {
    const store = await open()
    const { lead } = exampleArrival()
    await store.intake.accept(exampleArrival(lead))
    const target = await folder()
    const file = join(target, 'leads.sqlite')
    const { code, stdout } = await sayVerb(settings(), ['backup', file, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ file, leads: 1, newestAt: lead.receivedAt })
    expect(await readdir(target)).toEqual(['leads.sqlite'])
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600')
    const [act] = await store.audit.list({ action: 'took a backup', take: 2 })
    expect(act).toMatchObject({ via: 'command line', subject: null, outcome: '1 lead' })
  })

  test('if the audit log cannot be written, a backup works and says so', async () => {
    const store = await open()
    await store.close()
    await runInStore(settings(), 'alter table audit rename to audit_of_old')
    const file = join(await folder(), 'leads.sqlite')
    const { code, stdout, stderr } = await sayVerb(settings(), ['backup', file])
    expect(code).toBe(0)
    expect(stdout).toContain('0 leads, in')
    expect(stderr).toMatch(
      /^The backup is complete, but could not be recorded in the audit log: .*audit/,
    )
    expect(existsSync(file)).toBe(true)
  })

  test('a backup never replaces another file', async () => {
    await open()
    const target = await folder()
    const file = join(target, 'leads.sqlite')
    await writeFile(file, 'of yesterday')
    const refused = await sayVerb(settings(), ['backup', file])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/already exists and was left unchanged/)
    expect(await readdir(target)).toEqual(['leads.sqlite'])
  })

  test('a failed backup names its cause and leaves nothing behind', async () => {
    const target = await folder()
    const nothing = await sayVerb(settings(), ['backup', join(target, 'a')])
    expect(nothing.code).toBe(69)
    expect(nothing.stderr).toMatch(/There is no store at .*leads\.sqlite.*DATA_DIR/s)
    await open()
    const nowhere = await sayVerb(settings(), ['backup', join(target, 'no', 'a')])
    expect(nowhere.code).toBe(1)
    expect(nowhere.stderr).toMatch(/cannot be written \(ENOENT.*another folder/)
    const elsewhere = { ...settings(), databaseUrl: 'postgres://leads:word@127.0.0.1:1/leads' }
    const away = await sayVerb(elsewhere, ['backup', join(target, 'a')])
    expect(away.code).toBe(69)
    expect(away.stderr).toMatch(/PostgreSQL at 127\.0\.0\.1:1\/leads cannot be used/)
    expect(await readdir(target)).toEqual([])
  })

  test('without pg_dump, the command says what to install and leaves no file', async () => {
    const { settings, remove } = await postgresPlace()
    onTestFinished(remove)
    await (await openMigrated(settings)).close()
    const target = await folder()
    const missing = await runLeads(settings, ['backup', join(target, 'a')], [], { PATH: '/none' })
    expect(missing.code).toBe(69)
    expect(missing.stderr).toMatch(/pg_dump is not on this machine.*postgresql-client/)
    expect(await readdir(target)).toEqual([])
  })

  test('the command refuses to back up a store whose leads have moved, and names the new store', async () => {
    await (await open()).close()
    const source = new DatabaseSync(join(settings().dataDir, 'leads.sqlite'))
    markStoreMoved(source, { place: 'db.example/leads', at: Date.UTC(2026, 10, 22) })
    source.close()
    const target = await folder()
    const refused = await sayVerb(settings(), ['backup', join(target, 'a')])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /were moved to db\.example\/leads at 2026-11-22T.*nothing was written.*DATABASE_URL/,
    )
    expect(await readdir(target)).toEqual([])
    const started = await runToEnd({
      DATA_DIR: settings().dataDir,
      PORT: '0',
      SANDBOX_PORT: '0',
      CONSOLE_PORT: '0',
    })
    expect(started.code).toBe(78)
    expect(started.stderr).toMatch(/cannot start\. The leads of .* were moved to db\.example/)
  })

  test('the command refuses to back up a damaged store', async () => {
    const store = await open()
    for (let stored = 0; stored < 20; stored++) await store.intake.accept(exampleArrival())
    await store.close()
    const file = join(settings().dataDir, 'leads.sqlite')
    await damage(file)
    const target = await folder()
    const refused = await sayVerb(settings(), ['backup', join(target, 'a')])
    expect(refused.code).toBe(69)
    expect(refused.stderr).toMatch(/^The store is damaged.*\(SQLITE_CORRUPT\)/)
    expect(await readdir(target)).toEqual([])
  })
})

async function openMigrated(settings: StoreSettings) {
  const store = await openStore(settings)
  await store.migrate()
  return store
}

/** Overwrites everything in the file except its first page, as a failing disk might. */
async function damage(file: string): Promise<void> {
  const handle = await openFile(file, 'r+')
  const { size } = await handle.stat()
  await handle.write(Buffer.alloc(size - pageSize, 0xff), 0, size - pageSize, pageSize)
  await handle.close()
}
