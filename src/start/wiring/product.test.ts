import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readSettings } from '#server/config/read-settings.ts'
import type { Store } from '#server/store/open-store.ts'
import { shippedTexts } from '#tests/content/sample-texts.ts'
import { startProduct } from './product.ts'

/** Starts the product on a store that fails. */
function failingStart() {
  const read = readSettings({ SANDBOX_PORT: '0' })
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

test('a failed start closes the store, and reports its own error instead of the closing’s', async () => {
  const { starting, seen } = failingStart()
  await expect(starting).rejects.toThrow('the disk is full')
  expect(seen).toEqual({ isClosed: true, log: '' })
})
