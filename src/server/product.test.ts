import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readSettings } from './config/read-settings.ts'
import { startProduct } from './product.ts'
import type { Store } from './store/open-store.ts'

test('a start that fails closes the store, and says what failed, not what the closing says', async () => {
  const read = readSettings({ SANDBOX_PORT: '0' })
  if (!read.ok) throw new Error('the example is wrong')
  let isClosed = false
  const store = {
    migrate: async () => {
      throw new Error('the disk is full')
    },
    close: async () => {
      isClosed = true
      throw new Error('the store is not open')
    },
  }
  const starting = startProduct({
    settings: read.settings,
    programs: [],
    assets: { styles: '', bootstrapScript: '', formScript: '', developmentScripts: [] },
    clientFolder: undefined,
    log: pino({ level: 'silent' }),
    open: async () => store as Partial<Store> as Store,
  })
  await expect(starting).rejects.toThrow('the disk is full')
  expect(isClosed).toBe(true)
})
