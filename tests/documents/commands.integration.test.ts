import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import type { LeadStatus } from '#domain/lead/lead-status.ts'
import { openStore } from '#server/store/open-store.ts'
import { compileCache } from '#tests/bundled/compile-cache.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { type RunningProduct, startProcess } from '#tests/product/start-process.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { projectFolder } from './documents.ts'
import { inlineCode } from './inline-code.ts'
import { shellBlocks } from './shell-blocks.ts'

// The README has all verbs in one block, and the machine may have more to do.
vi.setConfig({ testTimeout: 180_000 })

const run = shellBlocks.filter(({ notRun }) => notRun === undefined)

let folder: string
let ids: Readonly<Record<LeadStatus, string>>
/** Plays the distributor, and answers monitors. */
let product: RunningProduct
const drops: (() => Promise<void>)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documents-'))
  const dataDir = join(folder, 'prepared')
  await mkdir(dataDir)
  const store = await openStore({ dataDir })
  await store.migrate()
  ids = await storeLeadOfEachStatus(store)
  await store.close()
  product = await startProcess()
})

afterAll(async () => {
  await Promise.all([product.stop(), ...drops.map((drop) => drop())])
  await rm(folder, { recursive: true })
})

/** Which lead each verb is of use for; any other is shown the one that waits. */
const statusFor: Readonly<Record<string, LeadStatus>> = {
  release: 'quarantined',
  retry: 'dead',
  show: 'delivered',
}

/** What a reader puts in the place of what stands for it. */
const filledIn = (commands: string, own: string): string =>
  commands
    .replaceAll(
      /(?<verb>[\w-]+) <id>/g,
      (_, verb: string) => `${verb} ${ids[statusFor[verb] ?? 'pending']}`,
    )
    .replaceAll('<address>', 'pending@example.com')
    .replaceAll('person@example.com', 'delivered@example.com')
    .replaceAll('<file>', join(own, 'written'))
    .replaceAll('/etc/campus-enquiry/', `${own}/`)
    .replaceAll('localhost:3000', new URL(product.url).host)

/** What may run wherever the tests do; a block with anything else says why it is not run. */
const harmless =
  /^(#|$|([A-Z_]+=\S+ )?(leads|npm run leads --|npm run check|curl -s localhost:3000)(?=[ /]|$))/

/** The operator's command has one name wherever it runs: `npm run leads --` is what npm makes of it. */
const shell = `
set -euo pipefail
leads() { sh "${projectFolder}/deploy/leads" "$@"; }
npm() {
  shift
  case $1 in
    leads) shift 2; leads "$@" ;;
    check) leads check ;;
    *) echo "No test runs npm run $1." >&2; return 1 ;;
  esac
}
trap 'echo "failed: $BASH_COMMAND" >&2' ERR
set -E
`

async function emptyDatabase(commands: string): Promise<string> {
  if (!commands.includes('database-url')) return ''
  const { url, drop } = await freshDatabase(inject('postgresUrl'))
  drops.push(drop)
  return url
}

/** Runs it on a store and a database of its own; resolves with what it said. */
async function runBlock(commands: string): Promise<string> {
  const own = await mkdtemp(join(folder, 'block-'))
  await writeFile(join(own, 'database-url'), await emptyDatabase(commands))
  await cp(join(folder, 'prepared'), join(own, 'data'), { recursive: true })
  const child = spawn('bash', ['-c', `${shell}\n${filledIn(commands, own)}`], {
    cwd: own,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: join(own, 'data'),
      // A quarter of what a verb takes is reading its code.
      ...compileCache(),
      RETENTION_DAYS: '90',
      CONSOLE_PORT: '0',
      SANDBOX_PORT: new URL(product.sandboxUrl).port,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, faults, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  expect(code, faults).toBe(0)
  return said
}

describe('what a document has an operator type ends with 0, and says something', () => {
  test.concurrent.each(run)('$place', async ({ commands }) => {
    expect(commands.split('\n').filter((line) => !harmless.test(line))).toEqual([])
    expect(await runBlock(commands)).not.toBe('')
  })
})

test('the README’s verbs and all of the runbook are run', () => {
  expect(run.filter(({ place }) => place.startsWith('README.md'))).toHaveLength(1)
  const ofRunbook = shellBlocks.filter(({ place }) => place.startsWith('docs/runbook.md'))
  expect(ofRunbook.filter(({ notRun }) => notRun !== undefined)).toEqual([])
  expect(ofRunbook.length).toBeGreaterThan(3)
})

test('the page on storage has every table of the store', () => {
  const page = readFileSync(join(projectFolder, 'docs/storage.md'), 'utf8')
  const [, section = ''] = page.split('## What is in the tables')
  const said = [...section.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names = '']) =>
    inlineCode(names),
  )
  const database = new DatabaseSync(join(folder, 'prepared/leads.sqlite'), { readOnly: true })
  const tables = database
    .prepare(`select name from sqlite_master where type = 'table' and name not like 'kysely%'`)
    .all()
    .map(({ name }) => name)
  database.close()
  expect(said.toSorted()).toEqual(tables.toSorted())
})
