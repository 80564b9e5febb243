import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '#server/store/open-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { sqlitePlace } from '#tests/store/store-places.ts'

test.each(['replaced', 'removed'])('a store whose file was %s accepts no lead', async (what) => {
  const place = await sqlitePlace()
  onTestFinished(() => place.remove())
  const store = await openStore(place.settings)
  onTestFinished(() => store.close())
  await store.migrate()
  await store.intake.accept(exampleArrival())
  const file = join(place.settings.dataDir, 'leads.sqlite')
  renameSync(file, `${file}.moved`)
  if (what === 'replaced') writeFileSync(file, 'id,email')
  await expect.poll(() => store.ready().catch(String)).toContain('replaced or removed')
  await expect(store.intake.accept(exampleArrival())).rejects.toThrow('replaced or removed')
})
