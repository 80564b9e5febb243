import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '#server/config/read-settings.ts'
import type { Store } from '#server/store/open-store.ts'
import { shippedTexts } from '#tests/content/sample-texts.ts'
import { startProduct } from './product.ts'

/** Starts the product on a store that fails. */
function failingStart(dataDir: string) {
  const read = readSettings({ SANDBOX_PORT: '0', DATA_DIR: dataDir })
  if (!read.ok) throw new Error('the example is wrong')
  const seen = { isClosed: false, log: '' }
  const store = {
    migrate: async () => {
      throw new Error('the disk is full')
    },
    close: async () => {
      seen.isClosed = true
      throw new Error('the store is not open')
    },
  }
  const starting = startProduct({
    settings: read.settings,
    programs: [],
    texts: shippedTexts(),
    assets: { styles: '', bootstrapScript: '', formScript: '', developmentScripts: [] },
    clientFolder: undefined,
    log: pino(
      {},
      {
        write: (line) => {
          seen.log += line
        },
      },
    ),
    open: async () => store as Partial<Store> as Store,
  })
  return { starting, seen }
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'enquiry-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a failed start closes the store, and reports its own error instead of the closing’s', async () => {
  const { starting, seen } = failingStart(emptyFolder())
  await expect(starting).rejects.toThrow('the disk is full')
  expect(seen).toEqual({ isClosed: true, log: '' })
})

test('a start on an empty store file logs a warning', async () => {
  const dataDir = emptyFolder()
  writeFileSync(join(dataDir, 'leads.sqlite'), '')
  const { starting, seen } = failingStart(dataDir)
  await expect(starting).rejects.toThrow()
  expect(JSON.parse(seen.log)).toMatchObject({
    level: 50,
    file: join(dataDir, 'leads.sqlite'),
    msg: expect.stringContaining('Unless this is the first start, stop and restore the backup'),
  })
})
