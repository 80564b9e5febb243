import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openStore } from '#server/store/open-store.ts'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { startProcess } from '#tests/product/start-process.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { times } from './extent.ts'
import { figure } from './figure.ts'
import { seed, seededRandom } from './seeded-random.ts'

const trials = times({ modest: 6, full: 300 })
/** So few leads that the log is not copied into the file meanwhile. */
const leads = 100
/** A page of 4,096 bytes and its header: https://sqlite.org/fileformat2.html#the_write_ahead_log */
const frameBytes = 4096 + 24
/** The number of frames at the log's end that contain the damage. */
const damagedFrames = 60

interface Acknowledged {
  readonly id: string
  /** The log's length in bytes when the visitor was thanked. The lead's frames are before it. */
  readonly logBytes: number
}

/** What a failing disk leaves of the log's end, from `at` on. */
const damages: Record<
  string,
  (log: string, at: number, random: (from: number, to: number) => number) => void
> = {
  'cut off': (log, at) => truncateSync(log, at),
  'with a flipped bit': (log, at, random) => {
    const file = openSync(log, 'r+')
    const byte = Buffer.alloc(1)
    readSync(file, byte, 0, 1, at)
    byte[0] = (byte[0] ?? 0) ^ (1 << Math.floor(random(0, 8)))
    writeSync(file, byte, 0, 1, at)
    closeSync(file)
  },
  'written over with zeros': (log, at) => {
    const file = openSync(log, 'r+')
    const zeros = Buffer.alloc(statSync(log).size - at)
    writeSync(file, zeros, 0, zeros.length, at)
    closeSync(file)
  },
}

let folder = ''
let whole = ''
let acknowledged: readonly Acknowledged[] = []

/** The store for all damages, each of which happens to a copy. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'torn-log-'))
  whole = join(folder, 'whole')
  acknowledged = await acceptAndKill(whole)
  return () => rmSync(folder, { recursive: true })
})

test.for(Object.keys(damages))('the end of the log %s', async (kind) => {
  const random = seededRandom(`log ${kind}`)
  let lost = 0

  for (let trial = 0; trial < trials; trial++) {
    const dataDir = join(folder, `${kind} ${trial}`)
    cpSync(whole, dataDir, { recursive: true })
    const log = join(dataDir, 'leads.sqlite-wal')
    const at = statSync(log).size - Math.ceil(random(1, damagedFrames * frameBytes))
    damages[kind]?.(log, at, random)

    const store = await openStore({ dataDir })
    await store.migrate()
    await store.ready()
    const stored = new Set(
      (await askStore({ dataDir }, 'select id from leads')).map(({ id }) => id),
    )
    const missing = acknowledged.filter(({ id }) => !stored.has(id))
    expect(missing.filter(({ logBytes }) => logBytes <= at)).toEqual([])
    lost += missing.length
    await store.intake.accept(exampleArrival())
    expect(await askStore({ dataDir }, 'pragma integrity_check')).toEqual([
      { integrity_check: 'ok' },
    ])
    await store.close()
    rmSync(dataDir, { recursive: true })
  }
  // Otherwise, no lead was in the damaged part.
  expect(lost).toBeGreaterThan(0)
  figure(`end of the log ${kind}, SQLite`, {
    trials,
    acknowledgedInEach: acknowledged.length,
    lostBeforeTheDamage: 0,
    lostWithinItOnAverage: Math.round(lost / trials),
    seed,
  })
})

/** Stores leads and kills the process, so that the whole store is in the log. */
async function acceptAndKill(dataDir: string): Promise<Acknowledged[]> {
  const product = await startProcess({ DATA_DIR: dataDir, ROLE: 'web' })
  const visitor = await apiVisitor(product.url)
  const acknowledged: Acknowledged[] = []
  const sendSome = async () => {
    while (acknowledged.length < leads) {
      const reply = await visitor.post('leads', exampleLead(), newKey())
      const { id } = (await reply.json()) as { id: string }
      const logBytes = statSync(join(dataDir, 'leads.sqlite-wal')).size
      acknowledged.push({ id, logBytes })
    }
  }
  await Promise.all([sendSome(), sendSome(), sendSome()])
  product.process.kill('SIGKILL')
  await product.stop()
  return acknowledged
}
