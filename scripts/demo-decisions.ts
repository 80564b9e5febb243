import { parseDay, toDay } from '#domain/calendar.ts'
import { emptyCap } from '#domain/delivery/cap.ts'
import { makeAffiliateActions } from '#server/affiliates/manage-affiliates.ts'
import { makeCapActions } from '#server/delivery/manage-caps.ts'
import type { OperatorContext } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { Store } from '#server/store/open-store.ts'

export interface DemoAffiliate {
  readonly name: string
  readonly affid: string
  readonly payoutCents: number
  readonly isBad: boolean
}

interface DemoCompany {
  readonly store: Store
  readonly actor: Actor
  /** Its clock shows the made-up time. */
  readonly operators: OperatorContext
  readonly affiliates: readonly DemoAffiliate[]
}

/**
 * Makes the decisions of the made-up company: payouts that change, a partner that is stopped, and caps. Each decision
 * counts its days from the end, so that a short business has the latest ones.
 */
export function makeDemoDecisions({ store, actor, operators, affiliates: partners }: DemoCompany) {
  const { zone } = store
  const affiliates = makeAffiliateActions(operators, { allowsLocal: true, zone })
  const caps = makeCapActions({ ...operators, zone })
  const find = async ({ affid }: DemoAffiliate) => {
    const found = await affiliates.find(actor, affid)
    if (found === undefined) throw new Error(`No affiliate has the id ${affid}.`)
    return found
  }
  const changePayout = async (partner: DemoAffiliate, cents: number) => {
    const known = await find(partner)
    await affiliates.save(actor, { ...known, payoutCents: (known.payoutCents ?? 0) + cents }, known)
  }
  const decisions: Readonly<Record<number, () => Promise<void>>> = {
    150: async () => {
      for (const partner of partners.slice(0, 10)) await changePayout(partner, 250)
    },
    75: async () => {
      for (const partner of partners.slice(4, 6)) await changePayout(partner, -400)
    },
    21: async () => {
      const bad = partners.find(({ isBad }) => isBad)
      if (bad === undefined) return
      const reason = 'Most of its leads are rejected, and a quarter of the others come back.'
      await affiliates.change(actor, await find(bad), 'stop', reason)
    },
    6: async () => {
      const holidays = nextHolidays(toDay(operators.clock(), zone))
      const weekdays = [1, 2, 3, 4, 5]
      const [large, second] = partners
      if (large === undefined || second === undefined) return
      const { id: affiliateId } = await find(large)
      await caps.save(actor, { ...emptyCap, affiliateId, maxLeads: 2, weekdays, holidays })
      const limits = { affiliateId: (await find(second)).id, blockedStates: ['CA'], holidays }
      await caps.save(actor, { ...emptyCap, ...limits })
    },
  }
  return {
    begin: async () => {
      for (const { name, affid, payoutCents } of partners) {
        const details = { name, ids: [affid], notes: '', payoutCents, postbackUrl: null }
        await affiliates.save(actor, details)
      }
    },
    /** Decides what is due on the day that begins. @param left how many days follow */
    decide: async (left: number) => decisions[left]?.(),
  }
}

/** Lists Christmas and New Year's Day of this winter. */
function nextHolidays(today: number): readonly string[] {
  const year = new Date(today).getUTCFullYear()
  return [`${year}-12-25`, `${year + 1}-01-01`].filter((text) => (parseDay(text) ?? 0) >= today)
}
