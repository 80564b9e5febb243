import { type Kysely, type RawBuilder, sql } from 'kysely'
import { findCampaign, findSource, makeOriginKey } from '#domain/lead/attribution.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { makePersonalDataFinder, maskAffiliateId, maskCampaign } from '#domain/lead/mask-lead.ts'
import type { StoredAnswers } from '#domain/lead/stored-answers.ts'
import { escapeInvisible } from '#domain/text/plain-line.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** The columns of `lead_index` with values from links, each with its bit in `personal_origins` and its mask. */
const originColumns = {
  affiliate: { bit: 1, mask: maskAffiliateId },
  source: { bit: 2, mask: maskCampaign },
  campaign: { bit: 4, mask: maskCampaign },
  medium: { bit: 8, mask: maskCampaign },
  content: { bit: 16, mask: maskCampaign },
}

export type OriginColumn = keyof typeof originColumns

export const originNames = Object.keys(originColumns) as OriginColumn[]

export const isOriginColumn = (name: string): name is OriginColumn => name in originColumns

/** Masks a value that looks like an email address, or an affiliate id that looks like a phone number. */
export const maskOrigin = (name: OriginColumn, value: string): string =>
  originColumns[name].mask(value)

/** Returns the columns of a lead's index row whose values come from links. */
export function toOriginColumns(lead: StoredAnswers & Pick<Lead, 'subId' | 'attribution'>) {
  // PostgreSQL can't store the character U+0000.
  const affiliate = lead.subId?.replaceAll('\0', '') ?? null
  const { attribution } = lead
  const origins = {
    affiliate,
    source: findSource(attribution),
    campaign: findCampaign(attribution),
    medium: attribution?.last.utm_medium ?? null,
    content: attribution?.last.utm_content ?? null,
  }
  // Most leads come without such values, and intake is a hot path.
  const given = originNames.filter((name) => origins[name])
  const isPersonal = given.length > 0 ? makePersonalDataFinder(lead) : () => false
  const personal = given.filter((name) => isPersonal(origins[name] ?? ''))
  const bits = personal.reduce((sum, name) => sum + originColumns[name].bit, 0)
  return {
    ...origins,
    personal_origins: bits || null,
    affiliate_key: origins.affiliate && makeOriginKey(origins.affiliate),
    source_key: origins.source && makeOriginKey(origins.source),
    campaign_key: origins.campaign && makeOriginKey(origins.campaign),
    medium_key: origins.medium && makeOriginKey(origins.medium),
    content_key: origins.content && makeOriginKey(origins.content),
  }
}

/** Makes SQL for whether a lead's value in a column contains the person's own data. */
export const isPersonalOrigin = (column: OriginColumn): RawBuilder<boolean> =>
  sql<boolean>`(personal_origins is not null and (personal_origins & ${sql.lit(originColumns[column].bit)}) <> 0)`

/**
 * Makes SQL that compares a column without regard to case. SQLite changes the case of ASCII letters only, so other
 * letters are compared in lower, upper and title case. No index helps, so use it on small tables alone.
 */
export function equalsInAnyCase(column: string, value: string): RawBuilder<boolean> {
  const lower = value.toLowerCase()
  const title = lower.replace(/(?<![\p{L}\p{M}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase())
  const spellings = [...new Set([value, lower, value.toUpperCase(), title])]
  const lowered = spellings.map((spelling) => sql`lower(${spelling})`)
  return sql<boolean>`lower(${sql.ref(column)}) in (${sql.join(lowered)})`
}

/**
 * The SQL for the affiliate of a lead in `lead_index`; null if no affiliate has the lead's affiliate id in any case. The
 * exact spelling comes first, because release 0.3.0 let two affiliates have ids that differ only in case.
 */
export const affiliateOfLead = sql<string | null>`(
  select affiliate_id from affiliate_ids
  where affid in (lead_index.affiliate, lead_index.affiliate_key) or lower(affid) = lead_index.affiliate_key
  order by case when affid = lead_index.affiliate then 0 else 1 end, affid limit 1)`

/** The most values that a filter suggests, and the longest value. */
const maxSuggestions = 50
const maxSuggestedLength = 100

/** How many of the latest leads are read for suggestions, so that old or made-up values can't push out current ones. */
const maxLatest = 10_000

const knownColumns = [...originNames, 'state'] as const

/** The columns whose values filters suggest. */
export type KnownColumn = (typeof knownColumns)[number]

/** Lists the values of a filter that most of the latest leads have, without values that a viewer may not see. */
async function listKnownValues(
  db: Kysely<StoreTables>,
  name: KnownColumn,
): Promise<readonly string[]> {
  const isPersonal = isOriginColumn(name) ? isPersonalOrigin(name) : sql`1 = 0`
  const { rows } = await sql<{ value: string }>`
    select value from (
      select ${sql.ref(name)} as value, ${isPersonal} as is_personal from lead_index
      order by received_at desc, lead_id desc limit ${sql.lit(maxLatest)}
    ) as latest
    where value is not null and not is_personal group by value order by count(*) desc`.execute(db)
  const mask = (value: string) => (isOriginColumn(name) ? maskOrigin(name, value) : value)
  return rows
    .filter(
      ({ value }) => value.length <= maxSuggestedLength && escapeInvisible(mask(value)) === value,
    )
    .slice(0, maxSuggestions)
    .map(({ value }) => value)
    .toSorted((one, other) => one.localeCompare(other))
}

/** Lists the known values of each filter by a value from a link, and by state. */
export async function readKnownOrigins(
  db: Kysely<StoreTables>,
): Promise<Readonly<Record<KnownColumn, readonly string[]>>> {
  const known = await Promise.all(
    knownColumns.map(async (name) => [name, await listKnownValues(db, name)] as const),
  )
  return Object.fromEntries(known) as Record<KnownColumn, readonly string[]>
}
