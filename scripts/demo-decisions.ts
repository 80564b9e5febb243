import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { addMonths, type Day, formatDay, parseDay, startOfMonth, toDay } from '#domain/calendar.ts'
import { emptyCap } from '#domain/delivery/cap.ts'
import { day } from '#domain/durations.ts'
import { defaultSpendColumns } from '#server/money/parse-spend.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { Store } from '#server/store/open-store.ts'
import type { OperatorActions } from '#server/store/operator-actions.ts'

export interface DemoAffiliate {
  readonly name: string
  readonly affid: string
  readonly payoutCents: number
  readonly isBad: boolean
}

interface DemoCompany {
  readonly store: Store
  readonly actor: Actor
  readonly actions: OperatorActions
  /** Shows the made-up time. */
  readonly clock: () => number
  readonly affiliates: readonly DemoAffiliate[]
  /** The ids of the programs with a higher revenue. */
  readonly dearPrograms: readonly number[]
}

/** A visit by the link of an ad, as far as its cost depends on it. */
interface DemoVisitor {
  readonly source: string | null
  readonly campaign: string | null
}

/** What a visit by an ad costs, in US cents. */
const clickCents: Readonly<Record<string, number>> = {
  'google,brand': 310,
  'google,nursing': 870,
  'google,mba': 1140,
  'facebook,lookalike': 260,
  'facebook,retargeting': 390,
  'bing,brand': 280,
}

/**
 * Makes the decisions of the made-up company: payouts and revenues that change, ad spend, statements that are closed, a
 * partner that is stopped, caps, and a list of people who asked not to be contacted. Each decision counts its days from the end, so that a short business has the latest
 * ones.
 */
export function makeDemoDecisions(company: DemoCompany) {
  const { store, actor, clock, affiliates: partners } = company
  const { affiliates, caps, datedValues, doNotContact, spend, statements } = company.actions
  const { zone } = store
  const spent: string[] = []
  const find = async ({ affid }: DemoAffiliate) => {
    const found = await affiliates.find(actor, affid)
    if (found === undefined) throw new Error(`No affiliate has the id ${affid}.`)
    return found
  }
  const changePayout = async (partner: DemoAffiliate, cents: number) => {
    const known = await find(partner)
    await affiliates.save(actor, { ...known, payoutCents: (known.payoutCents ?? 0) + cents }, known)
  }
  const setRevenue = async (amount: string, startsOn = '', program = '') => {
    const errors = await datedValues.set(actor, 'revenue', { amount, startsOn, program })
    if (Object.keys(errors).length > 0) throw new Error(JSON.stringify(errors))
  }
  const closeStatements = async (month: Day) => {
    for (const partner of partners) await statements.close(actor, (await find(partner)).id, month)
  }
  const decisions: Readonly<Record<number, () => Promise<void>>> = {
    150: async () => {
      for (const partner of partners.slice(0, 10)) await changePayout(partner, 250)
    },
    110: () => setRevenue('52.00'),
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
      const holidays = nextHolidays(toDay(clock(), zone))
      const weekdays = [1, 2, 3, 4, 5]
      const [large, second] = partners
      if (large === undefined || second === undefined) return
      const { id: affiliateId } = await find(large)
      await caps.save(actor, { ...emptyCap, affiliateId, maxLeads: 2, weekdays, holidays })
      const limits = { affiliateId: (await find(second)).id, blockedStates: ['CA'], holidays }
      await caps.save(actor, { ...emptyCap, ...limits })
    },
  }
  const importList = async () => {
    const emails = await listPeople(store.operators.db)
    const result = await doNotContact.import(actor, ['email', ...emails].join('\n'))
    if (result.kind === 'refused') throw new Error(JSON.stringify(result.faults))
    return emails
  }
  return {
    begin: async () => {
      await setRevenue('48.00', formatDay(toDay(clock(), zone)))
      for (const program of company.dearPrograms) await setRevenue('64.00', '', `${program}`)
      for (const { name, affid, payoutCents } of partners) {
        const details = { name, ids: [affid], notes: '', payoutCents, postbackUrl: null }
        await affiliates.save(actor, details)
      }
    },
    /** Decides what is due on the day that begins. @param left how many days follow */
    decide: async (left: number) => {
      const today = toDay(clock(), zone)
      // Accounting closes a month on the fifth day of the next one.
      if (today === startOfMonth(today) + 4 * day && left < 62)
        await closeStatements(addMonths(startOfMonth(today), -1))
      await decisions[left]?.()
    },
    /** Imports the list of 200 people who asked not to be contacted, after the last leads, and returns it. */
    end: importList,
    /** Pays for the day's visits by ads. Imports the costs at the end of a month, and on the last day. */
    payForVisits: async (
      visitors: readonly DemoVisitor[],
      { today, isLast }: { readonly today: Day; readonly isLast: boolean },
    ) => {
      for (const [ad, { length }] of Map.groupBy(visitors, toAd)) {
        const cents = (clickCents[ad] ?? 0) * length
        if (cents > 0) spent.push(`${formatDay(today)},${ad},${(cents / 100).toFixed(2)}`)
      }
      const isMonthOver = startOfMonth(today + day) !== startOfMonth(today)
      if (spent.length === 0 || !(isMonthOver || isLast)) return
      const file = ['day,source,campaign,amount', ...spent.splice(0)].join('\n')
      const result = await spend.import(actor, file, defaultSpendColumns)
      if (result.kind === 'refused') throw new Error(JSON.stringify(result.faults))
    },
  }
}

/** Lists 200 addresses or their hashes: of people who wait, of people whose leads were sent, and of strangers. */
async function listPeople(db: Kysely<StoreTables>): Promise<readonly string[]> {
  const find = async (isWaiting: boolean, take: number) => {
    const rows = await db
      .selectFrom('leads')
      .innerJoin('deliveries', 'deliveries.lead_id', 'leads.id')
      .select('email')
      .distinct()
      .where('settled_as', isWaiting ? 'is' : '=', isWaiting ? null : 'delivered')
      .orderBy('email')
      .limit(take)
      .execute()
    return rows.map(({ email }) => email)
  }
  const known = [...(await find(true, 2)), ...(await find(false, 20))]
  const others = Array.from({ length: listed - known.length }, (_, n) => `former.${n}@example.com`)
  return [...known, ...others.map((email, n) => (n % 2 === 0 ? email : hash('sha256', email)))]
}

const listed = 200

const toAd = ({ source, campaign }: DemoVisitor): string => `${source},${campaign}`

/** Lists Christmas and New Year's Day of this winter. */
function nextHolidays(today: number): readonly string[] {
  const year = new Date(today).getUTCFullYear()
  return [`${year}-12-25`, `${year + 1}-01-01`].filter((text) => (parseDay(text) ?? 0) >= today)
}
