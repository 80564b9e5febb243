import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AffiliateDetails } from '#domain/affiliate/affiliate.ts'
import { emptyCap } from '#domain/delivery/cap.ts'
import { makeAffiliateActions } from '#server/affiliates/manage-affiliates.ts'
import { makeReturnsImporter } from '#server/delivery/import-returns.ts'
import { makeCapActions } from '#server/delivery/manage-caps.ts'
import { makePauseActions } from '#server/delivery/pause-deliveries.ts'
import { makeJobs } from '#server/jobs/jobs.ts'
import { makeLeadActions } from '#server/jobs/lead-actions.ts'
import { makeWebhookActions } from '#server/notifications/manage-webhooks.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import {
  addOperator,
  changeRole,
  disableOperator,
  enableOperator,
  unlinkOperator,
} from './manage-operators.ts'

const now = exampleTime + 60 * 60 * 1000
const actor = { kind: 'command line', user: 'ada' } as const
const details: AffiliateDetails = {
  ...{ name: 'Acme', ids: ['a7'], notes: '', payoutCents: 1000, postbackUrl: null },
}

function actionsOf(store: Store) {
  const context = { db: store.database.db, audit: store.audit, clock: () => now }
  return {
    context,
    leads: makeLeadActions({ ...store, clock: () => now }),
    returns: makeReturnsImporter({ ...store.database, ...context, zone: 'UTC' }),
    caps: makeCapActions({ ...context, zone: 'UTC' }),
    affiliates: makeAffiliateActions(context, { allowsLocal: true, zone: 'UTC' }),
    webhooks: makeWebhookActions({ ...context, timeoutMs: 1000, allowsLocal: true }),
    pause: makePauseActions({ ...store, clock: () => now }),
    jobs: makeJobs(store.database, { ...context, onWork: () => undefined }),
  }
}

const columns = { lead: 'reference', date: 'date', reason: '' }

describe.each(storePlaces)('the audit log on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('has one entry for each action that changes something, and none for a refused one', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    const { context, leads, returns, caps, affiliates, webhooks, pause, jobs } = actionsOf(store)
    const entries = async () => (await store.audit.list({ take: 999 })).length
    const added = async (act: () => Promise<unknown>) => {
      const before = await entries()
      await act()
      return (await entries()) - before
    }
    const [unknown, destination] = [randomUUIDv7(), { kind: 'webhook', id: '' } as const]
    const acme = await affiliates.save(actor, details)
    const known = await affiliates.find(actor, acme.id)
    if (known === undefined) throw new Error('not saved')
    const bea = (await addOperator(context, actor, 'bea@example.edu', 'viewer'))?.operator.id ?? ''
    const job = await jobs.run(actor, { action: 'retry', query: '' }, { reason: 'x', rate: 1 })

    const refused: Readonly<Record<string, () => Promise<unknown>>> = {
      'retry of an unknown lead': () => leads.retry(actor, unknown),
      ...Object.fromEntries(
        (['delivered', 'duplicate', 'quarantined', 'erased'] as const).map((status) => [
          `retry of the lead ${status}`,
          () => leads.retry(actor, ids[status]),
        ]),
      ),
      'settlement of an unknown lead': () => leads.settle(actor, unknown, 'delivered'),
      'settlement as before': () => leads.settle(actor, ids.rejected, 'rejected'),
      'release of an unknown lead': () => leads.release(actor, unknown),
      'release of a lead outside quarantine': () => leads.release(actor, ids.dead),
      'undoing a release that nobody made': () => leads.undoRelease(actor, ids.quarantined),
      'erasure of an unknown lead': () => leads.erase(actor, { leadId: unknown }),
      'erasure of an unknown person': () => leads.erase(actor, toEmailAddress('no@example.com')),
      'import of an unknown lead': () =>
        returns.import(actor, `reference,date\n${unknown},2026-01-15`, columns),
      'import without the column': () => returns.import(actor, 'lead,date\n', columns),
      'change of an unknown cap': () => caps.save(actor, { ...emptyCap, maxLeads: 1 }, unknown),
      'cap of an unknown affiliate': () =>
        caps.save(actor, { ...emptyCap, maxLeads: 1, affiliateId: unknown }),
      'removal of an unknown cap': () => caps.remove(actor, unknown),
      'affiliate with a taken name': () => affiliates.save(actor, { ...details, ids: ['b8'] }),
      'removal of an unknown affiliate': () => affiliates.remove(actor, { ...known, id: unknown }),
      'change of an unknown webhook': () =>
        webhooks.edit(actor, unknown, { url: 'http://a/', events: [], sendsPersonalData: false }),
      'removal of an unknown webhook': () => webhooks.remove(actor, unknown),
      'sending again without failures': () =>
        webhooks.sendAgain(actor, { ...destination, id: unknown }),
      'resuming running notifications': () =>
        webhooks.resume(actor, { ...destination, id: unknown }),
      'resuming running deliveries': () => pause(actor, 'resume', ''),
      'trying running deliveries': () => pause(actor, 'tryNow', ''),
      'pausing an unknown job': () => jobs.pause(actor, unknown),
      'resuming a job that is not paused': () => jobs.resume(actor, job),
      'the same role': () => changeRole(context, actor, bea, 'viewer'),
      'enabling an enabled operator': () => enableOperator(context, actor, bea),
      'unlinking an operator without a link': () => unlinkOperator(context, actor, bea),
      'adding an operator again': () => addOperator(context, actor, 'Bea@example.edu', 'admin'),
    }
    const counted = Object.keys(refused).map((name) => [name, 0] as const)
    const found: [string, number][] = []
    for (const [name, act] of Object.entries(refused)) found.push([name, await added(act)])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(counted))

    const done: Readonly<Record<string, () => Promise<unknown>>> = {
      retry: () => leads.retry(actor, ids.dead),
      settlement: () => leads.settle(actor, ids.rejected, 'delivered'),
      release: () => leads.release(actor, ids.quarantined, { waitMs: 60_000 }),
      undo: () => leads.undoRelease(actor, ids.quarantined),
      erasure: () => leads.erase(actor, { leadId: ids.quarantined }),
      import: () => returns.import(actor, `reference,date\n${ids.delivered},2026-01-15`, columns),
      cap: () => caps.save(actor, { ...emptyCap, maxLeads: 1 }),
      affiliate: () => affiliates.remove(actor, known),
      webhook: () =>
        webhooks.add(actor, { url: 'http://a/', events: ['accepted'], sendsPersonalData: false }),
      pause: () => pause(actor, 'pause', ''),
      resume: () => pause(actor, 'resume', ''),
      role: () => changeRole(context, actor, bea, 'operator'),
      disabling: () => disableOperator(context, actor, bea),
      'pause of a job': () => jobs.pause(actor, job),
    }
    for (const [name, act] of Object.entries(done)) {
      expect([name, await added(act)]).toEqual([name, 1])
    }
    expect([await added(() => jobs.pause(actor, job)), 'again']).toEqual([0, 'again'])
    await store.breaker.trip({ cause: 'outage', reason: 'HTTP 500', since: now, at: now })
    expect(await added(() => pause(actor, 'resume', ''))).toBe(0)
    const outcomes = await store.audit.list({ take: 999 })
    expect(outcomes.filter(({ outcome }) => outcome === null)).toEqual([])
  })
})
