import { Hono } from 'hono'
import type { ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { type FilterFieldProps, findOptionLabel } from '#console/leads/filter-form.tsx'
import {
  findFilterProblem,
  formatQueryString,
  makeFieldDefinitions,
  parsePageFilter,
} from '#console/leads/read-filter.ts'
import {
  describeFaults,
  pickRangeTexts,
  rangeParsers,
  readRange,
} from '#console/ranges/read-range.ts'
import { describeAffiliateId, hasAffiliateId } from '#domain/affiliate/affiliate.ts'
import { areas } from '#domain/area.ts'
import { type Day, formatDay } from '#domain/calendar.ts'
import { makeOriginKey } from '#domain/lead/attribution.ts'
import { keepText, oneOf, parseId } from '#domain/lead/lead-filter.ts'
import { hidden } from '#domain/lead/personal-values.ts'
import {
  countsLeadsOnly,
  devices,
  type FunnelDimension,
  type FunnelGrouping,
  funnelGroupings,
  isPeriodUnit,
} from '#domain/measuring/funnel.ts'
import { makeFunnelFigures } from '#domain/measuring/funnel-figures.ts'
import { endOfUnit, type Period } from '#domain/measuring/periods.ts'
import { addLedgerSums, type MoneySums } from '#domain/money/ledger.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import { describeUnit } from '#domain/text/time-formats.ts'
import { hasMaskedValue } from '#server/leads/lead-filters.ts'
import { isOriginColumn, maskOrigin, originNames } from '#server/leads/lead-origins.ts'
import type { FunnelReader, OriginMoney } from '#server/measuring/funnel-reader.ts'
import { readComparedFigures } from '#server/measuring/read-figures.ts'
import { readTrend } from '#server/measuring/read-trend.ts'
import { authorize } from '#server/operators/authorize.ts'
import { makeKeyedTimedCache, makeProportionalLifetime } from '#server/platform/timed-cache.ts'
import { type ComparisonRow, FunnelPage } from './funnel-page.tsx'
import {
  asOnLeads,
  type Dimension,
  leadDimensionTable,
  makeDimensionFields,
  makeLeadsParameters,
  makeLeadsQuery,
  pickFilter,
  type Reasons,
} from './lead-dimensions.ts'

const path = '/funnel'

/** The cache keeps counts this many times as long as counting them took. */
const countsCacheFactor = 20
const maxCachedFilters = 50

/** The comparison has at most this many rows: the latest days, or the values with the most visits and leads. */
const maxReadRows = 1000

export function funnelRoutes(services: ConsoleServices) {
  const { store, affiliates, programs, clock } = services
  const { zone } = store
  const countsOf = makeKeyedTimedCache(
    // Parses the query string whenever it counts, because most ranges end now.
    (key) => {
      const [query = '', hides] = key.split(' ')
      const url = parseFunnelUrl(Object.fromEntries(new URLSearchParams(query)), clock(), zone)
      return readCounts(store.forConsole.funnel, url, hides !== undefined, zone)
    },
    makeProportionalLifetime(countsCacheFactor),
    maxCachedFilters,
  )

  return new Hono<ConsoleEnv>().get(path, async (c) => {
    authorize(c.get('actor'), 'see the funnel', clock())
    const url = parseFunnelUrl(c.req.query(), clock(), zone)
    if (hasMaskedValue(url.given)) authorize(c.get('actor'), 'search for a person', clock())
    const filterFaults = Object.entries(url.faults).filter(([name]) => !(name in rangeParsers))
    const filterProblem = findFilterProblem(Object.fromEntries(filterFaults), url.unknownName)
    const problem = filterProblem ?? describeFaults(url.faults)
    const mayFindPeople = isAllowed(c.get('actor').role, 'search for a person')
    const key = mayFindPeople ? url.query : `${url.query} hides`
    const counts = filterProblem === undefined ? await countsOf(key) : undefined
    const reasons = await store.forConsole.funnel.reasons(!mayFindPeople)
    const partners = url.by === 'affiliate' ? await affiliates.list(c.get('actor')) : []
    const nameOf = (value: string) =>
      url.by === 'affiliate'
        ? partners.find((one) => hasAffiliateId(one, value))?.name
        : programs().find(({ id }) => String(id) === value)?.name
    const known = makeFieldDefinitions(programs(), await store.forConsole.knownOrigins())
    const fields = makeDimensionFields(dimensions, url, known, reasons)
    const page = (
      <FunnelPage
        fields={fields}
        isFiltered={fields.some(({ value }) => value !== '')}
        range={{ ...url, path }}
        rangeTexts={pickRangeTexts(url.given)}
        by={url.by}
        comparisons={funnelGroupings
          .filter((name) => name !== url.by)
          .map((name) => ({ name, href: makeFunnelUrl({ ...url.given, by: name }) }))}
        leadsQuery={makeLeadsQuery(makeLeadsParameters(dimensions, url.given, reasons), url.range)}
        countsLeadsOnly={countsLeadsOnly(url.filter)}
        counts={
          counts && {
            ...counts,
            rows: counts.rows.map((row) =>
              toComparedRow(row, url, { nameOf, mayFindPeople, reasons, fields }),
            ),
          }
        }
      />
    )
    return c.render(page, problem, problem && 400)
  })
}

/**
 * The smallest number of visits for which a viewer may see a value of a link. Visits without a lead don't tell whether
 * the value is a person's name.
 */
const minShownVisits = 3

async function readCounts(
  funnel: FunnelReader,
  { filter, by, range, before, unit }: FunnelUrl,
  hidesPersonalOrigins: boolean,
  zone: string,
) {
  const hasMoney = by === 'source' || by === 'campaign'
  const found = funnel.leads({ ...range, filter, by, hidesPersonalOrigins })
  const known = { leads: found, hidesPersonalOrigins }
  const [visits, leads, trend, money, compared] = await Promise.all([
    funnel.visitsBy({ ...range, filter, by }),
    found,
    readTrend(funnel, { range, filter, unit, zone, hidesPersonalOrigins }),
    hasMoney ? funnel.moneyByOrigin(by, { ...range, filter, hidesPersonalOrigins }) : [],
    readComparedFigures(funnel, { range, before }, filter, known),
  ])
  // The counts of an unknown value must not tell a viewer whether somebody came with it.
  if (hidesPersonalOrigins && leads.length === 0 && originNames.some((name) => name in filter)) {
    const isRare = compared.now.visits < minShownVisits
    if (isRare || (await funnel.leads({ ...range, filter })).length > 0) {
      return { now: makeFunnelFigures({}, []), missing: '', rows: [], moreRows: 0 }
    }
  }
  const visitsOf = new Map(visits.map(({ value, ...counts }) => [value, counts]))
  const leadsOf = Map.groupBy(leads, ({ value }) => value)
  const values = [...visitsOf.keys(), ...leadsOf.keys()]
  // Of several spellings of a value, one gets the money.
  const keyOf = (value: unknown) => makeOriginKey(String(value ?? ''))
  const spellings = new Map(values.map((value) => [keyOf(value), value]))
  const moneyOf = Map.groupBy(money, ({ value }) => spellings.get(keyOf(value)) ?? value)
  const rows = [...new Set([...values, ...moneyOf.keys()])].map((value) => ({
    value,
    money: hasMoney ? addMoney(moneyOf.get(value) ?? []) : undefined,
    figures: makeFunnelFigures(visitsOf.get(value) ?? {}, leadsOf.get(value) ?? []),
    /** How many of the leads have a value that contains the person's own data. */
    personal: (leadsOf.get(value) ?? []).reduce((sum, { personal }) => sum + personal, 0),
  }))
  const rank = ({ value, figures }: (typeof rows)[number]) =>
    isPeriodUnit(by) ? Number(value) : figures.visits + figures.leads
  return {
    ...compared,
    trend,
    money: hasMoney ? addMoney(money) : undefined,
    rows: rows.toSorted((one, other) => rank(other) - rank(one)).slice(0, maxReadRows),
    moreRows: Math.max(0, rows.length - maxReadRows),
  }
}

const addMoney = (rows: readonly OriginMoney[]): MoneySums => ({
  ...addLedgerSums(rows.flatMap(({ ledger }) => ledger ?? [])),
  spendCents: rows.reduce((sum, { spendCents = 0 }) => sum + spendCents, 0),
})

const makeFunnelUrl = (given: Readonly<Record<string, string>>): string =>
  `${path}?${formatQueryString(given)}`

type FunnelRow = Awaited<ReturnType<typeof readCounts>>['rows'][number]

interface RowContext {
  readonly nameOf: (value: string) => string | undefined
  readonly mayFindPeople: boolean
  readonly reasons: Reasons
  readonly fields: readonly FilterFieldProps[]
}

function toComparedRow(
  { value, figures, money, personal }: FunnelRow,
  url: FunnelUrl,
  context: RowContext,
): ComparisonRow {
  const { nameOf, mayFindPeople, reasons } = context
  const { by, given } = url
  const text = String(value)
  const { leads, visits } = figures
  const isRare = isOriginColumn(by) && leads === 0 && visits < minShownVisits && !mayFindPeople
  const isKnownAffiliate = by === 'affiliate' && nameOf(text) !== undefined
  const isHidden = !isKnownAffiliate && (isRare || (leads > 0 && personal === leads))
  // Anybody can put a person's email address into a link.
  const shown = isOriginColumn(by) ? maskOrigin(by, text) : text
  const masked = isHidden ? hidden : shown
  if (value === null || masked !== text) {
    const label = value === null && !isPeriodUnit(by) ? dimensions[by].unknown : masked
    return { label, text: label, href: undefined, leadsQuery: undefined, figures, money }
  }
  const days = isPeriodUnit(by)
    ? clipUnit(Number(value), endOfUnit(Number(value), by), url.range)
    : undefined
  const narrowed = days
    ? { ...given, from: formatDay(days.first), to: formatDay(days.last), range: '' }
    : { ...given, [by]: text, ...(by === 'reason' && { by: 'state' }) }
  const label = describeValue(by, text, context)
  return {
    label,
    text: isPeriodUnit(by) ? formatDay(Number(value)) : label,
    href: makeFunnelUrl(narrowed),
    leadsQuery: makeLeadsQuery(
      makeLeadsParameters(dimensions, narrowed, reasons),
      days ?? url.range,
    ),
    figures,
    money,
  }
}

function describeValue(by: FunnelGrouping, value: string, { nameOf, fields }: RowContext): string {
  if (isPeriodUnit(by)) return describeUnit(by, Number(value))
  if (by === 'program') return nameOf(value) ?? `Program ${value}`
  if (by === 'affiliate') return describeAffiliateId(value, nameOf(value))
  return findOptionLabel(fields.find(({ name }) => name === by) ?? {}, value)
}

/** Keeps the days of a unit that are in the page's range, because the row counts only these. */
const clipUnit = (first: Day, last: Day, range: Period) => ({
  first: Math.max(first, range.first),
  last: Math.min(last, range.last),
})

const visitDimensionTable = {
  area: { parse: oneOf(areas), unknown: 'unknown', ...asOnLeads('area') },
  source: { parse: keepText, unknown: 'no source', ...asOnLeads('source') },
  campaign: { parse: keepText, unknown: 'no campaign', ...asOnLeads('campaign') },
  affiliate: { parse: keepText, unknown: 'no affiliate', ...asOnLeads('affiliate') },
  device: {
    ...{ parse: oneOf(devices), unknown: 'unknown', makeParameters: () => undefined },
    makeField: () => ({
      label: 'Device',
      options: devices.map((value) => ({
        value,
        label: value === 'none' ? 'without JavaScript' : value,
      })),
    }),
  },
  program: { parse: parseId, unknown: 'none chosen yet', ...asOnLeads('program') },
} as const satisfies Readonly<Record<FunnelDimension, Dimension>>

const dimensions = { ...visitDimensionTable, ...leadDimensionTable }

const fieldParsers = { ...dimensions, by: { parse: oneOf(funnelGroupings) }, ...rangeParsers }

function parseFunnelUrl(queries: Readonly<Record<string, string>>, now: number, zone: string) {
  const url = parsePageFilter(fieldParsers, queries)
  const { by = 'affiliate', unit } = url.values
  const filter = pickFilter(dimensions, url.values)
  return { ...url, filter, by, unit, ...readRange(url, now, zone) }
}

type FunnelUrl = ReturnType<typeof parseFunnelUrl>
