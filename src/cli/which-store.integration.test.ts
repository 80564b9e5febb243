import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { formatServerName } from '#server/platform/database/lead-database.ts'
import { openStore } from '#server/store/open-store.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { runStatements } from '#tests/postgres/run-statements.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeLeadsCommand } from './leads-command.ts'

const id = '019bc0de-0000-7000-8000-000000000000'
/** Each command's arguments as an operator would type them. */
const typed: Readonly<Record<string, readonly string[]>> = {
  stats: [],
  list: [],
  show: [id],
  release: ['--all'],
  retry: ['--all-dead'],
  settle: [id, '--as', 'delivered'],
  restored: [],
  'returns import': ['package.json'],
  pause: [],
  resume: [],
  export: [],
  erase: ['--email', 'ada@example.com'],
  retain: ['--days', '30', '--yes'],
  'do-not-contact add': ['--email', 'ada@example.com'],
  'do-not-contact import': ['package.json'],
  'do-not-contact check': ['--phone', '9415550100'],
  'do-not-contact remove': ['--email', 'ada@example.com'],
  'statements show': ['a7', '--month', '2026-11'],
  'statements close': ['a7', '--month', '2026-11'],
  'revenue set': ['60', '--from', '2036-12-01'],
  'spend import': ['package.json'],
  'affiliates list': [],
  'affiliates show': ['a7'],
  'affiliates set': ['a7', '--payout', '10'],
  'affiliates stop': ['a7', '--reason', 'bought leads'],
  'affiliates start': ['a7', '--reason', 'explained'],
  'affiliates remove': ['a7'],
  'webhooks list': [],
  'webhooks add': ['https://crm.example.edu/leads'],
  'webhooks remove': [id],
  'webhooks test': [id],
  'operators add': ['bea@example.com', '--role', 'viewer'],
  'operators list': [],
  'operators role': ['ada@example.com', 'viewer'],
  'operators disable': ['ada@example.com'],
  'operators unlink': ['ada@example.com'],
  'jobs list': [],
  'jobs show': [id],
  'jobs cancel': [id],
  'sign-in-link': ['ada@example.com'],
  audit: [],
  backup: ['/tmp/never-written.sqlite'],
  'migrate-to': ['postgres://leads@127.0.0.1:1/leads'],
}
/** Commands that do not use a store. */
const withoutStore = ['catalogue', 'content', 'check', 'send-test-lead']
const verbs = makeLeadsCommand()
  .commands.filter((verb) => !withoutStore.includes(verb.name()))
  .flatMap((verb) =>
    verb.commands.length === 0
      ? [verb.name()]
      : verb.commands.map((sub) => `${verb.name()} ${sub.name()}`),
  )
/** Commands that work on a store whose leads were moved, and report the move. */
const reading = [
  ...['stats', 'list', 'show', 'export', 'audit'],
  ...[
    'operators list',
    'affiliates list',
    'affiliates show',
    'statements list',
    'statements show',
    'do-not-contact check',
    'webhooks list',
    'jobs list',
    'jobs show',
  ],
]
/**
 * Commands that treat a moved store in their own way: `erase` erases the person there, too; `backup` copies nothing;
 * `migrate-to` can repeat the move or undo it.
 */
const withOwnRules = ['erase', 'backup', 'migrate-to']
const changing = verbs.filter((verb) => ![...reading, ...withOwnRules].includes(verb))
afterEach(() => void vi.unstubAllEnvs())

const words = (verb: string) => [...verb.split(' '), ...(typed[verb] ?? [])]
const run = (verb: string) => makeLeadsCommand().parseAsync(words(verb), { from: 'user' })

const move = "insert into moves (place, moved_at) values ('db.example/leads', 0)"

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'no-store-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

describe.each(verbs)('%s', (verb) => {
  test('creates no store, and says what to do', async () => {
    const folder = await emptyFolder()
    vi.stubEnv('DATA_DIR', join(folder, 'dta'))
    await expect(run(verb)).rejects.toMatchObject({
      exitCode: 69,
      message: expect.stringMatching(/There is no store at .*dta\/leads\.sqlite.*sudo leads/s),
    })
    expect(await readdir(folder)).toEqual([])
  })
})

test('an empty file is not a store', async () => {
  const folder = await emptyFolder()
  await writeFile(join(folder, 'leads.sqlite'), '')
  vi.stubEnv('DATA_DIR', folder)
  await expect(run('stats')).rejects.toMatchObject({ exitCode: 69 })
})

test('a database that no server has used is not a store, and is not changed', async () => {
  const { url, drop } = await freshDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  await runStatements(url, 'create table customers (id integer)')
  vi.stubEnv('DATABASE_URL', url)
  const { host, pathname } = new URL(url)
  await expect(run('pause')).rejects.toMatchObject({
    exitCode: 69,
    message: expect.stringContaining(`There is no store at ${host}${pathname}.`),
  })
  await runStatements(url, 'drop table customers; create table leads (id integer)')
})

describe.each(storePlaces)('on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  /** Runs a command, and resolves with its output on stdout and stderr. */
  async function outputOf(...args: readonly string[]) {
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { dataDir, databaseUrl } = place.settings()
    vi.stubEnv('DATA_DIR', dataDir)
    vi.stubEnv('DATABASE_URL', databaseUrl)
    try {
      await makeLeadsCommand().parseAsync(args, { from: 'user' })
      const text = (spy: typeof out) => spy.mock.calls.map(([words]) => words).join('')
      return { stdout: text(out), stderr: text(err) }
    } finally {
      vi.restoreAllMocks()
    }
  }

  test('a report without a server says that an idle server on PostgreSQL may be missing', async () => {
    const store = await openStore(place.settings())
    await store.migrate()
    await store.close()
    const nobody =
      place.settings().databaseUrl === undefined
        ? 'no server is using it'
        : 'no server is connected to it, but an idle server may use it'
    expect((await outputOf('stats')).stdout).toContain(`(0 leads; ${nobody})`)
  })

  test('each report first names the store and its servers', async () => {
    const server = await openStore({
      ...place.settings(),
      server: formatServerName('worker', 812, 'alpha'),
    })
    onTestFinished(() => server.close())
    await server.migrate()
    await server.intake.accept(exampleArrival())
    const { dataDir, databaseUrl } = place.settings()
    const { host, pathname, password } = new URL(databaseUrl ?? `file://${dataDir}/leads.sqlite`)
    const line = new RegExp(
      `^Store: ${host}${pathname} \\(1 lead; in use by worker, process 812 on alpha(, since 20[^)]+)?\\)\n`,
    )
    const inWords = await outputOf('stats')
    expect(inWords.stdout).toMatch(line)
    expect(inWords.stderr).toBe('')
    const asJson = await outputOf('stats', '--json')
    expect(JSON.parse(asJson.stdout)).toMatchObject({ leads: 1 })
    expect(asJson.stderr).toMatch(line)
    const exported = await outputOf('export', '--format', 'jsonl')
    expect(JSON.parse(exported.stdout)).toMatchObject({ status: 'pending' })
    expect(exported.stderr).toMatch(line)
    expect((await outputOf('pause')).stdout).toContain('After one second, no new attempt begins')
    expect((await outputOf('resume')).stdout).toContain(
      'Within a second, the workers begin to send the waiting leads',
    )
    if (password !== '') expect(JSON.stringify([inWords, asJson, exported])).not.toContain(password)
  })

  test('a change to a store whose leads were moved names the new store and changes nothing', async () => {
    const store = await place.open()
    const { id: lead } = await store.intake.accept(exampleArrival({ email: 'ada@example.com' }))
    await runInStore(place.settings(), move)
    const before = [await store.leadReader.stats(1), await store.breaker.read()]
    for (const verb of changing) {
      const refused = outputOf(...words(verb))
      await expect(refused, verb).rejects.toMatchObject({
        exitCode: 1,
        message: expect.stringMatching(
          /were moved to db\.example\/leads at .* Nothing was changed.*store\.env/,
        ),
      })
    }
    expect([await store.leadReader.stats(1), await store.breaker.read()]).toEqual(before)
    for (const looked of [['list'], ['retain', '--days', '30', '--dry-run']]) {
      expect((await outputOf(...looked)).stdout).toMatch(/were moved to db\.example\/leads/)
    }
    await expect(outputOf('erase', '--email', 'bea@example.com')).rejects.toThrow(
      /were moved to db\.example\/leads .*Nothing was changed: erase the person in the new store/,
    )
    await expect(outputOf('erase', '--id', lead)).rejects.toThrow(
      /only in this old copy: erase the person in the new store/,
    )
    expect(await store.leadReader.stats(1)).toMatchObject({ byStatus: { erased: 1 } })
  })

  test('a person’s leads are listed by the address, however it is written, and nobody else’s', async () => {
    const store = await place.open()
    const ids: string[] = []
    for (const email of ['Ada@example.com', 'ada@example.com', 'bea@example.com']) {
      ids.push((await store.intake.accept(exampleArrival({ email }))).id)
    }
    const listed = async (address: string): Promise<readonly { id: string }[]> =>
      JSON.parse((await outputOf('list', '--email', address, '--json')).stdout)
    const found = await listed(' ADA@example.com')
    expect(found.map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 2).toSorted())
    expect(await listed('nobody@example.com')).toEqual([])
  })
})
