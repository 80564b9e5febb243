import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { LeadStatus } from '#domain/lead/lead-status.ts'
import { openStore } from '#server/store/open-store.ts'
import { compileCache } from '#tests/bundled/compile-cache.ts'
import { sayVerb } from '#tests/cli/say-verb.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { builtFile } from '#tests/product/built-file.ts'
import { type RunningProduct, startProcess } from '#tests/product/start-process.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { projectFolder } from './documents.ts'
import { inlineCode } from './inline-code.ts'
import { shellBlocks } from './shell-blocks.ts'

const run = shellBlocks.filter(({ notRun }) => notRun === undefined)
const [longest] = run.toSorted((one, other) => other.commands.length - one.commands.length)

let folder: string
let ids: Readonly<Record<LeadStatus, string>>
/** A running product, whose sandbox is the distributor and whose health checks the commands call. */
let product: RunningProduct
let verbs: Server
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
  verbs = serveVerbs().listen(0, '127.0.0.1')
  await once(verbs, 'listening')
})

afterAll(async () => {
  verbs.close()
  await Promise.all([product.stop(), ...drops.map((drop) => drop())])
  await rm(folder, { recursive: true })
})

/** The state of lead that each command is useful for; all other commands get the waiting lead. */
const statusFor: Readonly<Record<string, LeadStatus>> = {
  release: 'quarantined',
  retry: 'dead',
  show: 'delivered',
}

/** An ad platform's file. */
function spendFile(): string {
  const path = join(folder, 'spend.csv')
  writeFileSync(path, 'day,source,campaign,amount\n2026-01-20,google,brand,12.50\n')
  return path
}

/** The distributor's file about the accepted lead. */
function returnsFile(): string {
  const path = join(folder, 'returns.csv')
  writeFileSync(path, `reference,date,reason\n${ids.delivered},2026-01-16,wrong number\n`)
  return path
}

/** Replaces the placeholders in a command as a reader would. */
const filledIn = (commands: string, own: string): string =>
  commands
    .replaceAll(
      /(?<verb>[\w-]+) <id>/g,
      (_, verb: string) => `${verb} ${ids[statusFor[verb] ?? 'pending']}`,
    )
    .replaceAll('<address>', 'pending@example.com')
    .replaceAll('person@example.com', 'delivered@example.com')
    .replaceAll('returns import <file>', `returns import "${returnsFile()}"`)
    .replaceAll('spend import <file>', `spend import "${spendFile()}"`)
    .replaceAll('<file>', join(own, 'written'))
    .replaceAll('<dollars>', '85')
    .replaceAll('/etc/campus-enquiry/', `${own}/`)
    .replaceAll('localhost:3000', new URL(product.url).host)

/** Matches commands that can run anywhere. A block with any other command must say why no test runs it. */
const harmless =
  /^(\s*#|$|([A-Z_]+=\S+ )?(leads|npm run leads --|npm run check|curl -s localhost:3000)(?=[ /]|$))/

/** Runs what deploy/leads starts, without source maps; tests/deploy tests the script itself. */
const asProcess = `"${process.execPath}" "${builtFile('server/leads.js')}" "$@"`
/** Passes the arguments and the shell's variables to the test's server; status 200 means exit code 0. */
const throughTestServer = `
  printf '%s\\0' "$@" | curl -s --fail-with-body --data-binary @- \\
    -H "folder: $PWD" -H "database-url-file: \${DATABASE_URL_FILE-}" "$VERBS"`

/** Defines the operator's command under all its names, such as `npm run leads --`. */
const shellFor = (leads: string) => `
set -euo pipefail
leads() { ${leads}; }
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

/**
 * Runs commands for {@link throughTestServer} one after the other in this process, because starting a process takes most of a
 * command's time.
 */
function serveVerbs(): Server {
  let before: Promise<unknown> = Promise.resolve()
  return createServer(async (request, reply) => {
    const args = (await text(request)).split('\0').slice(0, -1)
    const { folder: own = '', 'database-url-file': databaseUrlFile = '' } = request.headers
    const verb = before.then(() => sayVerbIn(String(own), args, String(databaseUrlFile)))
    before = verb.catch(() => undefined)
    const { code, stdout, stderr } = await verb
    reply.writeHead(code === 0 ? 200 : 500).end(code === 0 ? stdout : stdout + stderr)
  })
}

async function sayVerbIn(own: string, args: readonly string[], DATABASE_URL_FILE: string) {
  const testsFolder = process.cwd()
  process.chdir(own)
  try {
    return await sayVerb({ dataDir: join(own, 'data') }, args, { ...settings(), DATABASE_URL_FILE })
  } finally {
    process.chdir(testsFolder)
  }
}

const settings = () => ({
  RETENTION_DAYS: '90',
  CONSOLE_PORT: '0',
  SANDBOX_PORT: new URL(product.sandboxUrl).port,
})

async function emptyDatabase(commands: string): Promise<string> {
  if (!commands.includes('database-url')) return ''
  const { url, drop } = await freshDatabase(inject('postgresUrl'))
  drops.push(drop)
  return url
}

/** Runs a block on its own store and database, and resolves with its output. */
async function runBlock(commands: string, leads: string): Promise<string> {
  const own = await mkdtemp(join(folder, 'block-'))
  await writeFile(join(own, 'database-url'), await emptyDatabase(commands))
  await cp(join(folder, 'prepared'), join(own, 'data'), { recursive: true })
  const child = spawn('bash', ['-c', `${shellFor(leads)}\n${filledIn(commands, own)}`], {
    cwd: own,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: join(own, 'data'),
      // Reading its code takes a quarter of a command's time.
      ...compileCache(),
      ...settings(),
      VERBS: `http://127.0.0.1:${(verbs.address() as AddressInfo).port}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, faults, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  expect(code, said + faults).toBe(0)
  return said
}

describe('each block of commands in the documents ends with 0 and prints something', () => {
  test.concurrent.each(run)('$place', async ({ place, commands }) => {
    expect(commands.split('\n').filter((line) => !harmless.test(line))).toEqual([])
    // The longest block has nearly all commands, so it runs each as a process, as an operator does.
    expect(
      await runBlock(commands, place === longest?.place ? asProcess : throughTestServer),
    ).not.toBe('')
  })
})

test('the tests run the console’s list of commands and every command of the runbook', () => {
  expect(longest?.place).toMatch(/^docs\/console\.md/)
  const ofRunbook = shellBlocks.filter(({ place }) => place.startsWith('docs/runbook.md'))
  expect(ofRunbook.filter(({ notRun }) => notRun !== undefined)).toEqual([])
  expect(ofRunbook.length).toBeGreaterThan(3)
})

test('docs/storage.md has every table of the store', () => {
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
