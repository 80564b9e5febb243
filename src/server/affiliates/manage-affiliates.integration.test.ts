import { describe, expect, test } from 'vitest'
import { type AffiliateDetails, toAffiliateFormValues } from '#domain/affiliate/affiliate.ts'
import { emptyCap } from '#domain/delivery/cap.ts'
import { makeCapActions } from '#server/delivery/manage-caps.ts'
import { toConsoleActor } from '#server/operators/operator.ts'
import { readAudit } from '#server/operators/read-audit.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeAffiliateActions } from './manage-affiliates.ts'

const admin = { kind: 'command line', user: 'ada' } as const
const now = Date.UTC(2026, 10, 25, 12)

const details: AffiliateDetails = {
  ...{ name: 'Acme', ids: ['a7'], notes: '', payoutCents: 1000, postbackUrl: null },
}

const unstopped = { stoppedAt: null, stopReason: null }

function operatorOf({ operators, audit }: Store) {
  const context = { ...operators, audit, clock: () => now }
  return {
    affiliates: makeAffiliateActions(context, { allowsLocal: false, zone: 'UTC' }),
    caps: makeCapActions({ ...context, zone: 'UTC' }),
  }
}

describe.each(storePlaces)('affiliates on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('removing an affiliate leaves no cap and no affiliate behind, whatever others do meanwhile', async () => {
    const stores = [await place.open(), await place.open(), await place.open()] as const
    const [remover, editor, capper] = stores.map(operatorOf) as [Operator, Operator, Operator]
    const outcomes = new Set<unknown>()
    for (let round = 0; round < 12; round++) {
      const { id } = await editor.affiliates.save(admin, details)
      const known = await editor.affiliates.find(admin, id)
      if (known === undefined) throw new Error('not saved')
      const cap = { ...emptyCap, affiliateId: id, maxLeads: 1 }
      await capper.caps.save(admin, cap)
      const done = await Promise.all([
        capper.caps.save(admin, cap),
        remover.affiliates.remove(admin, known),
        capper.caps.save(admin, cap),
        editor.affiliates.save(admin, { ...details, notes: 'edited' }, known),
        capper.caps.setForAffiliate(admin, id, { maxLeads: 2, period: 'month' }),
      ])
      for (const outcome of done) outcomes.add(outcome)
      expect(await capper.caps.list(admin)).toEqual([])
      expect(await editor.affiliates.list(admin)).toEqual([])
    }
    expect(outcomes, 'some caps came too late').toContain('no affiliate')
  })

  test('every wrong field of a form has an error', async () => {
    const { affiliates } = operatorOf(await place.open())
    const texts = {
      ...toAffiliateFormValues(details),
      payout: 'much',
      postback: 'http://127.0.0.1/',
    }
    const { errors } = await affiliates.saveForm(admin, texts)
    expect(Object.keys(errors).toSorted()).toEqual(['payout', 'postback'])
    expect(await affiliates.list(admin)).toEqual([])
  })

  test('an edit of a removed affiliate is refused with a reason', async () => {
    const { affiliates } = operatorOf(await place.open())
    const { id } = await affiliates.save(admin, details)
    const known = await affiliates.find(admin, id)
    if (known === undefined) throw new Error('not saved')
    await affiliates.remove(admin, known)
    expect(await affiliates.save(admin, details, known)).toEqual({
      id,
      errors: { name: 'Another operator has removed this affiliate.' },
    })
    expect(await affiliates.list(admin)).toEqual([])
  })

  test('the audit log names the caps that were removed with their affiliate', async () => {
    const store = await place.open()
    const { affiliates, caps } = operatorOf(store)
    const { id } = await affiliates.save(admin, details)
    await caps.save(admin, { ...emptyCap, affiliateId: id, maxLeads: 100 })
    const known = await affiliates.find(admin, id)
    if (known === undefined) throw new Error('not saved')
    await affiliates.remove(admin, known)
    const [entry] = await store.audit.list({ subject: id, take: 1 })
    expect(entry).toMatchObject({
      action: 'removed an affiliate',
      target: 'Acme',
      outcome: 'removed; 0 held leads due',
    })
    expect(entry?.changes).toContainEqual(['cap 1', 'affiliate Acme: 100 leads a day', ''])
  })

  test('the audit log has the old and the new value of everything that changes, but no email address', async () => {
    const store = await place.open()
    const { affiliates } = operatorOf(store)
    const { id } = await affiliates.save(admin, details)
    const postbackUrl = 'https://partner.example/?click={click_id}&key=k3y'
    const changed = { ...details, notes: 'paid weekly', payoutCents: 1250, postbackUrl }
    await affiliates.save(
      admin,
      { ...changed, ids: ['a7', 'ada@example.com'] },
      { ...details, ...unstopped, id, createdAt: now },
    )
    await affiliates.remove(admin, { id })
    const entries = await store.audit.list({ subject: id, take: 9 })
    expect(
      entries.map(({ target, changes }) => [
        target,
        Object.fromEntries(changes.map(([name, ...values]) => [name, values])),
      ]),
    ).toEqual([
      [
        'Acme',
        {
          ...{
            name: ['Acme', ''],
            ids: ['a7\n•••', ''],
            payout: ['12.50', ''],
            notes: ['paid weekly', ''],
          },
          postback: [postbackUrl, ''],
        },
      ],
      [
        'Acme',
        {
          ...{ ids: ['a7', 'a7\n•••'], payout: ['10.00', '12.50'], notes: ['', 'paid weekly'] },
          ...{ 'payout from': ['', '2026-11-25'], postback: ['', postbackUrl] },
        },
      ],
      [
        'Acme',
        {
          ...{ name: ['', 'Acme'], ids: ['', 'a7'], payout: ['', '10.00'] },
          'payout from': ['', 'the beginning'],
        },
      ],
    ])
    const account = {
      id: 'o',
      email: 'o@example.edu',
      role: 'operator',
      createdAt: now,
      disabledAt: null,
    } as const
    const operator = toConsoleActor(account, '')
    const shown = JSON.stringify(
      await readAudit({ audit: store.audit, clock: () => now }, operator, { take: 9 }),
    )
    expect(shown).toContain('partner.example')
    expect(shown).not.toContain('k3y')
  })

  test('a cap counts the leads of an id that its affiliate gets, and releases the leads of an id that it loses', async () => {
    const store = await place.open()
    const { affiliates, caps } = operatorOf(store)
    const { id } = await affiliates.save(admin, details)
    await caps.save(admin, { ...emptyCap, affiliateId: id, maxLeads: 2 })
    const accept = (subId: string) =>
      store.intake.accept(exampleArrival({ receivedAt: now, subId }))
    const claim = () =>
      store.queue.claimDue({ now, leaseUntil: now + 60_000, limit: 9, zone: 'UTC' })
    await accept('b8')
    expect(await claim()).toHaveLength(1)
    const known = { ...details, ...unstopped, id, createdAt: now }
    await affiliates.save(admin, { ...details, ids: ['a7', 'b8'] }, known)
    expect(await caps.list(admin)).toMatchObject([{ used: 1 }])
    for (const affid of ['a7', 'a7', 'b8']) await accept(affid)
    expect(await claim()).toHaveLength(1)
    expect(await caps.list(admin)).toMatchObject([{ used: 2, held: 2 }])
    await affiliates.save(admin, { ...details, ids: ['c9'] }, known)
    expect(await caps.list(admin)).toMatchObject([{ used: 0, held: 0 }])
    expect(await claim()).toHaveLength(2)
  })
})

type Operator = ReturnType<typeof operatorOf>
