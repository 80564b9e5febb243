import { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import { type ComparedRow, FunnelPage } from '#console/funnel/funnel-page.tsx'
import type { FilterFieldProps } from '#console/leads/filter-form.tsx'
import { renderHtml } from '#console/render.ts'
import { formatDay } from '#console/shell/times.tsx'
import { describeAffiliateId } from '#domain/affiliate/affiliate.ts'
import { areas } from '#domain/area.ts'
import { makeInvalidDayMessage, parseRangeEnd, parseRangeStart } from '#domain/day-range.ts'
import { maskAffiliate, maskCampaign } from '#domain/lead/mask-lead.ts'
import {
  devices,
  type FunnelDimension,
  type FunnelFilter,
  type FunnelRange,
  type FunnelSplit,
  funnelDimensions,
  funnelSplits,
} from '#domain/measuring/funnel.ts'
import { makeFunnelFigures } from '#domain/measuring/funnel-figures.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import { identifiesPerson } from '#server/leads/lead-filters.ts'
import type { Funnel } from '#server/measuring/count-outcomes.ts'
import { keepDaysMs, toWeek, weekMs } from '#server/measuring/funnel-rollup.ts'
import { authorize } from '#server/operators/authorize.ts'
import { makeProportionalLifetime, makeTimedCache } from '#server/platform/timed-cache.ts'
import type { ConsoleEnv, ConsoleServices } from '../console-env.ts'
import { type KnownProgram, makeFieldDefinitions } from '../leads/filter-form.ts'
import { findFilterProblem, makeQuery, readFilterFields } from '../read-filter.ts'

const path = '/funnel'

/** Caches a filter's counts for this many times the duration of counting. */
const countsCacheFactor = 20
const maxFilters = 50

/** The number of rows in the comparison: the latest weeks, or the values with the most visits and leads. */
const comparedRows = 25

export function funnelRoutes(services: ConsoleServices) {
  const { store, affiliates, shellOf, programs, siteOrigin, clock } = services
  const known = new LRUCache<string, () => ReturnType<typeof readCounts>>({ max: maxFilters })
  const countsOf = (address: FunnelUrl) => {
    const read =
      known.get(address.query) ??
      makeTimedCache(
        () => readCounts(store.forConsole.funnel, readAgain(address)),
        makeProportionalLifetime(countsCacheFactor),
      )
    known.set(address.query, read)
    return read()
  }
  /** Parses the address again, because a range without an end grows with time. */
  const readAgain = ({ given }: FunnelUrl) => parseFunnelUrl(given, clock())

  return new Hono<ConsoleEnv>().get(path, async (c) => {
    authorize(c.get('actor'), 'see the funnel', clock())
    const address = parseFunnelUrl(c.req.query(), clock())
    if (identifiesPerson(toOrigin(address))) {
      authorize(c.get('actor'), 'search for a person', clock())
    }
    const problem = findFilterProblem(address)
    const counts = problem === undefined ? await countsOf(address) : undefined
    const partners = address.by === 'affiliate' ? await affiliates.list(c.get('actor')) : []
    const nameOf = (value: string | number) =>
      address.by === 'affiliate'
        ? partners.find(({ ids }) => ids.includes(String(value)))?.name
        : programs().find((program) => program.id === value)?.name
    const page = (
      <FunnelPage
        shell={shellOf(c)}
        site={siteOrigin}
        fields={makeFunnelFields(address, programs())}
        isFiltered={address.query !== ''}
        problem={problem}
        range={address.range}
        before={address.before}
        isCut={address.isCut}
        comparisons={listComparisons(address)}
        leadsQuery={makeLeadsQuery(address)}
        counts={
          counts && {
            ...counts,
            rows: counts.rows.map((row) => toShownRow(row, address, { nameOf, now: clock() })),
            duplicatesShown: isAllowed(c.get('actor').role, 'reveal a lead'),
          }
        }
      />
    )
    return c.html(renderHtml(page), problem === undefined ? 200 : 400)
  })
}

async function readCounts(funnel: Funnel, { filter, by, range, before }: FunnelUrl) {
  const figuresIn = async (within: FunnelRange) => {
    const [visits, leads] = await Promise.all([
      funnel.visits({ ...within, filter }),
      funnel.leads({ ...within, filter }),
    ])
    return makeFunnelFigures(visits, leads)
  }
  const [now, earlier, visits, leads] = await Promise.all([
    figuresIn(range),
    figuresIn(before),
    funnel.visitsBy({ ...range, filter, by }),
    funnel.leads({ ...range, filter, by }),
  ])
  const visitsOf = new Map(visits.map(({ value, ...counts }) => [value, counts]))
  const leadsOf = Map.groupBy(leads, ({ value }) => value)
  const rows = [...new Set([...visitsOf.keys(), ...leadsOf.keys()])].map((value) => ({
    value,
    figures: makeFunnelFigures(visitsOf.get(value) ?? {}, leadsOf.get(value) ?? []),
  }))
  const rank = ({ value, figures }: (typeof rows)[number]) =>
    by === 'week' ? Number(value) : figures.visits + figures.leads
  return {
    now,
    earlier,
    rows: rows.toSorted((one, other) => rank(other) - rank(one)).slice(0, comparedRows),
    moreRows: Math.max(0, rows.length - comparedRows),
  }
}

/** Lists what to compare by, each with its page's address except the current one. */
const listComparisons = ({ given, by }: FunnelUrl) =>
  funnelSplits.map((name) => ({
    name,
    href: name === by ? undefined : makeUrl({ ...given, by: name }),
  }))

const toOrigin = ({ given }: FunnelUrl) => ({
  affiliate: [given.affiliate],
  source: [given.source],
  campaign: [given.campaign],
})

const makeUrl = (given: Readonly<Record<string, string>>): string => `${path}?${makeQuery(given)}`

type Row = Awaited<ReturnType<typeof readCounts>>['rows'][number]

/** Anybody can put a person's email address into a link. */
const masks: Readonly<Partial<Record<FunnelSplit, (text: string) => string>>> = {
  source: maskCampaign,
  campaign: maskCampaign,
  affiliate: maskAffiliate,
}

type NameOf = (value: string | number) => string | undefined

function toShownRow(
  { value, figures }: Row,
  { by, given }: FunnelUrl,
  { nameOf, now }: { readonly nameOf: NameOf; readonly now: number },
): ComparedRow {
  const text = String(value ?? '')
  const masked = masks[by]?.(text) ?? text
  const filter = by === 'week' ? toWeekRange(Number(value)) : { [by]: text }
  const isKnown = value !== null && masked === text
  const narrowed = { ...given, ...filter }
  return {
    label:
      value === null ? unknownLabels[by] : escapeInvisible(formatValue(value, by, masked, nameOf)),
    href: isKnown ? makeUrl(narrowed) : undefined,
    leadsQuery: isKnown ? makeLeadsQuery(parseFunnelUrl(narrowed, now)) : undefined,
    figures,
  }
}

const formatValue = (
  value: string | number,
  by: FunnelSplit,
  masked: string,
  nameOf: NameOf,
): string => {
  if (by === 'week') return `Week of ${formatDay(Number(value))}`
  if (by === 'program') return nameOf(Number(value)) ?? `Program ${value}`
  if (by === 'affiliate' && masked === value) return describeAffiliateId(masked, nameOf(value))
  return by === 'device' && value === 'none' ? 'without JavaScript' : masked
}

const unknownLabels: Readonly<Record<FunnelSplit, string>> = {
  area: 'unknown',
  source: 'no source',
  campaign: 'no campaign',
  affiliate: 'no affiliate',
  device: 'unknown',
  program: 'none chosen yet',
  week: 'unknown',
}

function toWeekRange(monday: number) {
  const day = new Date(monday).toISOString().slice(0, 10)
  return { from: day, to: day }
}

/** The leads list's query for the same leads; undefined if the filter has a device, which that list lacks. */
function makeLeadsQuery({ filter, given, range }: FunnelUrl): string | undefined {
  const { area, source, campaign, affiliate, program } = given
  if ('device' in filter) return undefined
  const query = {
    ...{ area, source, campaign, affiliate, program },
    from: new Date(range.since).toISOString(),
    to: new Date(range.until).toISOString(),
  }
  return makeQuery(query)
}

/** Without a range in the address, the page shows this week and the three before it. */
const defaultWeeks = 4

const fieldNames = [...funnelDimensions, 'from', 'to'] as const
const filterNames = [...fieldNames, 'by'] as const
type FilterName = (typeof filterNames)[number]

export interface FunnelUrl {
  readonly filter: FunnelFilter
  readonly by: FunnelSplit
  readonly range: FunnelRange
  /** The weeks before, as many as in the range. */
  readonly before: FunnelRange
  /** Whether the range leaves out the week that has not ended. */
  readonly isCut: boolean
  readonly given: Readonly<Record<FilterName, string>>
  readonly faults: Readonly<Partial<Record<FilterName, string>>>
  readonly unknownName: string | undefined
  readonly query: string
}

/** Reads the funnel's filter from an address, valid or not. Empty fields don't filter. */
export function parseFunnelUrl(queries: Readonly<Record<string, string>>, now: number): FunnelUrl {
  const { given, ...read } = readFilterFields(filterNames, queries)
  const faults: Partial<Record<FilterName, string>> = {}
  const filter: { [Dimension in FunnelDimension]?: string | number } = {}
  for (const dimension of funnelDimensions) {
    if (given[dimension] === '') continue
    const value = readers[dimension](given[dimension])
    if (value === undefined) faults[dimension] = `“${given[dimension]}” isn’t valid here.`
    else filter[dimension] = value
  }
  const by = funnelSplits.find((split) => split === given.by)
  if (given.by !== '' && by === undefined) faults.by = `“${given.by}” isn’t valid here.`
  for (const name of ['from', 'to'] as const) {
    if (given[name] !== '' && parseRangeStart(given[name]) === undefined) {
      faults[name] = makeInvalidDayMessage(given[name])
    }
  }
  const { isCut, ...range } = toWeeks(parseRangeStart(given.from), parseRangeEnd(given.to), now)
  if (range.since >= range.until)
    faults.to ??= 'Choose a day on or after the first one, and before today.'
  const lengthMs = Math.ceil((range.until - range.since) / weekMs) * weekMs
  return {
    filter: filter as FunnelFilter,
    by: by ?? 'affiliate',
    range,
    isCut,
    before: { since: range.since - lengthMs, until: range.until - lengthMs },
    given,
    faults,
    ...read,
  }
}

const oneOf = (values: readonly string[]) => (text: string) =>
  values.find((value) => value === text)
const anyText = (text: string): string => text

const readers: Readonly<Record<FunnelDimension, (text: string) => string | number | undefined>> = {
  area: oneOf(areas),
  source: anyText,
  campaign: anyText,
  affiliate: anyText,
  device: oneOf(devices),
  program: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
}

/**
 * Widens a range of days to whole weeks, up to now. Counts older than 13 weeks exist only per week. If the previous
 * period is that old, the range is cut to whole weeks, so that both periods have the same length.
 */
function toWeeks(from: number | undefined, to: number | undefined, now: number) {
  const until = to === undefined ? now : Math.min(now, toWeek(to - 1) + weekMs)
  const since = from === undefined ? toWeek(until - 1) - (defaultWeeks - 1) * weekMs : toWeek(from)
  const isComparedWithWeeks = since - (until - since) < now - keepDaysMs
  const end = isComparedWithWeeks && toWeek(until) > since ? toWeek(until) : until
  return { since, until: end, isCut: end < until }
}

export function makeFunnelFields(
  { given, faults }: FunnelUrl,
  programs: readonly KnownProgram[],
): readonly FilterFieldProps[] {
  const { area, source, campaign, affiliate, program } = makeFieldDefinitions(programs)
  const fields: Readonly<
    Record<(typeof fieldNames)[number], Pick<FilterFieldProps, 'label' | 'options' | 'type'>>
  > = {
    ...{ area, source, campaign, affiliate, program },
    device: {
      label: 'Device',
      options: devices.map((value) => ({
        value,
        label: value === 'none' ? 'without JavaScript' : value,
      })),
    },
    from: { label: 'From the week of', type: 'date' },
    to: { label: 'To the week of', type: 'date' },
  }
  return fieldNames.map((name) => ({
    name,
    ...fields[name],
    value: given[name],
    problem: faults[name],
  }))
}
