import { Migrator } from 'kysely/migration'
import { expect, onTestFinished, test } from 'vitest'
import { openLeadDatabase } from '#server/platform/database/store-state.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { migrations } from './migrate-store.ts'

const lead = (id: string, affiliate: string | null, settledAs: string | null) => `
  insert into leads (id, idempotency_key, same_enquiry_hash, received_at, area, email, payload)
    values ('${id}', '${id}', '', 5, 'general', '', '{}');
  update lead_index set program = 12, affiliate = ${affiliate && `'${affiliate}'`},
    affiliate_key = lower(${affiliate && `'${affiliate}'`}) where lead_id = '${id}';
  insert into deliveries (id, lead_id, created_at, next_at, settled_as, settled_at)
    values ('d-${id}', '${id}', 5, 5, ${settledAs && `'${settledAs}'`}, 9);`

test.for(storePlaces)(
  'an upgrade gives every accepted and returned lead its entry, with the payout of that day: $name',
  async ({ makePlace }) => {
    const place = await makePlace()
    const { settings } = place
    const { db, migrate } = await openLeadDatabase(settings.dataDir, settings.databaseUrl)
    onTestFinished(async () => {
      await db.destroy()
      await place.remove()
    })
    const before = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    expect((await before.migrateTo('0030-references')).error).toBeUndefined()
    await runInStore(
      settings,
      `insert into affiliates (id, name, notes, payout_cents, created_at) values ('acme', 'Acme', '', 2050, 1);
      insert into affiliate_ids (affid, affiliate_id) values ('a7', 'acme');
      ${lead('accepted', 'A7', 'delivered')} ${lead('returned', 'a7', 'delivered')}
      ${lead('stranger', 'b8', 'delivered')} ${lead('direct', null, 'delivered')}
      ${lead('rejected', 'a7', 'rejected')} ${lead('waiting', 'a7', null)}
      insert into returns (lead_id, returned_at, imported_at) values ('returned', 20, 30);`,
    )
    await migrate()
    const entry = { program: 12, revenue_cents: null, statement_id: null }
    const nobody = { affiliate_id: null, payout_cents: null, kind: 'accepted', at: 9, ...entry }
    const acme = { affiliate_id: 'acme', payout_cents: 2050, kind: 'accepted', at: 9, ...entry }
    expect(await askStore(settings, 'select * from lead_ledger order by lead_id, kind')).toEqual([
      { lead_id: 'accepted', ...acme },
      { lead_id: 'direct', ...nobody },
      { lead_id: 'returned', ...acme },
      { lead_id: 'returned', ...acme, kind: 'returned', at: 30, payout_cents: -2050 },
      { lead_id: 'stranger', ...nobody },
    ])
    expect(
      await askStore(settings, 'select affiliate_id, from_day, amount_cents from payouts'),
    ).toEqual([{ affiliate_id: 'acme', from_day: 0, amount_cents: 2050 }])
  },
)
