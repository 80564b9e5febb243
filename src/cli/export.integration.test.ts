import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openStore } from '#server/store/open-store.ts'
import { bundledProgram } from '#tests/bundled/bundled-program.ts'
import { runLeads, startLeads } from '#tests/cli/run-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { type StorePlace, sqlitePlace } from '#tests/store/store-places.ts'

const leads = 8000
/** All leads as objects do not fit into this heap; Node and one page of leads do. */
const storeLine = expect.stringMatching(/^Store: \S+ \(8,000 leads; no server is using it\)\n$/)
/** Megabytes. The program and a page of leads take 28 MB; all leads take far more than 36 MB. */
const heap = '--max-old-space-size=36'

describe(`exporting ${leads} leads`, () => {
  let place: StorePlace
  beforeAll(async () => {
    place = await sqlitePlace()
    const store = await openStore(place.settings)
    await store.migrate()
    for (let stored = 0; stored < leads; stored += 1000) {
      await Promise.all(
        Array.from({ length: 1000 }, () =>
          store.intake.accept(exampleArrival({ address: 'Street '.repeat(300) })),
        ),
      )
    }
    await store.close()
  })
  afterAll(() => place.remove())

  async function folder(): Promise<string> {
    const made = await mkdtemp(join(tmpdir(), 'export-'))
    onTestFinished(() => rm(made, { recursive: true }))
    return made
  }

  test('needs no more memory than exporting a few', async () => {
    const { code, stdout, stderr } = await runLeads(place.settings, ['export'], [heap])
    expect({ code, stderr }).toEqual({ code: 0, stderr: storeLine })
    expect(stdout.match(/\r\n/g)).toHaveLength(leads + 1)
  })

  test('begins CSV with a byte order mark if asked to', async () => {
    const file = join(await folder(), 'leads.csv')
    const { code } = await runLeads(place.settings, ['export', '--bom', '--output', file])
    expect(code).toBe(0)
    const bytes = await readFile(file)
    expect(bytes.subarray(0, 5).toString()).toBe('\uFEFFid')
    const jsonl = await runLeads(place.settings, ['export', '--bom', '--format', 'jsonl'])
    expect(jsonl).toMatchObject({ stdout: '', stderr: expect.stringContaining('--bom is for CSV') })
  })

  test('never replaces a store, whose server would lose every later lead', async () => {
    const { dataDir } = place.settings
    const file = join(dataDir, 'leads.sqlite')
    for (const name of [file, `${file}-wal`]) {
      expect(await runLeads(place.settings, ['export', '--output', name])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('has the name of a store. Give --output another name.'),
      })
    }
    expect((await readFile(file)).subarray(0, 15).toString()).toBe('SQLite format 3')
  })

  test('ends without an error when the reader closes the pipe', async () => {
    const child = startLeads(place.settings, ['export', '--format', 'jsonl'])
    let errors = ''
    child.stderr.on('data', (data) => {
      errors += data
    })
    await once(createInterface(child.stdout), 'line')
    child.stdout.destroy()
    const [code] = await once(child, 'exit')
    expect({ code, errors }).toEqual({ code: 0, errors: storeLine })
  })

  test('an interrupted export leaves only the earlier file', async () => {
    const target = await folder()
    const output = join(target, 'leads.csv')
    await writeFile(output, 'of yesterday')
    const child = startLeads(place.settings, ['export', '--output', output])
    await expect.poll(() => readdir(target), { interval: 5 }).toHaveLength(2)
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    expect(code).toBe(130)
    expect(await readdir(target)).toEqual(['leads.csv'])
    expect(await readFile(output, 'utf8')).toBe('of yesterday')
  })

  test('a full disk under the output is reported and is no success', async () => {
    const main = bundledProgram('leads')
    const child = spawn('sh', ['-c', `exec ${process.execPath} ${main} export >/dev/full`], {
      env: { PATH: process.env.PATH, DATA_DIR: place.settings.dataDir },
    })
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect(code).toBe(1)
    expect(errors).toMatch(/could not be written completely \(ENOSPC\)/)
    expect(errors).not.toMatch(/\n +at /)
  })

  test('reports what is wrong with the output path, and refuses a folder', async () => {
    const target = await folder()
    const nowhere = await runLeads(place.settings, ['export', '--output', join(target, 'no', 'x')])
    expect(nowhere).toMatchObject({ code: 1 })
    expect(nowhere.stderr).toMatch(/cannot be written \(ENOENT.*choose another folder/)
    expect(await runLeads(place.settings, ['export', '--output', target])).toMatchObject({
      code: 1,
    })
    expect(await readdir(target)).toEqual([])
  })
})
