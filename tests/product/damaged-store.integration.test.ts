import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '#server/store/open-store.ts'
import { apiVisitor } from './api-visitor.ts'
import { exampleLead, newKey } from './example-lead.ts'
import { runToEnd } from './run-to-end.ts'
import { startProcess } from './start-process.ts'

const pageSize = 4096

/** Damages the file in place while a server has it open, like a failing disk or another program. */
async function damage(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  const { size } = await handle.stat()
  await handle.write(Buffer.alloc(size - pageSize, 0xff), 0, size - pageSize, pageSize)
  await handle.close()
}

test('a server reports a damaged store and stops; it starts again only on a sound store', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'enquiry-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const file = join(dataDir, 'leads.sqlite')
  const settings = { DATA_DIR: dataDir, PORT: '0', SANDBOX_PORT: '0', CONSOLE_PORT: '0' }
  const store = await openStore({ dataDir })
  await store.migrate()
  await store.close()
  await copyFile(file, `${file}.backup`)

  const product = await startProcess({ DATA_DIR: dataDir })
  onTestFinished(product.stop)
  const ended = once(product.process, 'exit')
  const visitor = await apiVisitor(product.url)
  const send = () => visitor.post('leads', exampleLead(), newKey())
  expect((await send()).status).toBe(201)

  await damage(file)
  const ready = async () => (await fetch(`${product.url}/readyz`)).status
  await expect.poll(ready, { interval: 20 }).toBe(503)
  // The server thanks no visitor for an enquiry that it may lose, even if the parts of the file that store enquiries
  // are undamaged.
  expect((await send()).status).toBe(503)
  expect(await ready()).toBe(503)
  expect(await ended).toEqual([1, null])
  expect(product.words()).toContain(
    `The product ends because its store is damaged. ${file} is damaged or is not a store (`,
  )
  expect(product.words()).toMatch(
    /Copy the folder before you change anything: docs\/runbook\.md, “Leads are not stored”\. The server accepts no more leads\..*the last backup: docs\/deploy\.md/,
  )
  expect(product.words()).not.toMatch(/^ +at /m)
  expect(product.log().split('"level":"fatal"')).toHaveLength(2)

  await rm(`${file}-wal`, { force: true })
  await rm(`${file}-shm`, { force: true })
  const again = await runToEnd(settings)
  expect(again.code).toBe(1)
  expect(again.stderr).toContain(`The product cannot start. ${file} is damaged`)
  await copyFile(`${file}.backup`, file)
  await (await startProcess({ DATA_DIR: dataDir })).stop()
  expect(existsSync(`${file}-damaged`)).toBe(false)
  expect((await readFile(file)).subarray(0, 15).toString()).toBe('SQLite format 3')
})
