import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { IntervalChart } from '#console/charts/interval-chart.tsx'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { CountingRules, onlyLeads } from '#console/funnel/funnel-page.tsx'
import {
  type LeadsParameters,
  leadDimensionTable,
  makeDimensionFields,
  makeLeadsParameters,
  pickFilter,
} from '#console/funnel/lead-dimensions.ts'
import { acceptanceColumns, leadsColumn, rejectionColumns } from '#console/funnel/lead-results.tsx'
import { type FilterFieldProps, FilterForm } from '#console/leads/filter-form.tsx'
import {
  findFilterProblem,
  formatQueryString,
  makeFieldDefinitions,
  parsePageFilter,
} from '#console/leads/read-filter.ts'
import { RangePicker, type RangePickerProps } from '#console/ranges/range-picker.tsx'
import {
  describeFaults,
  pickRangeTexts,
  rangeParsers,
  readRange,
} from '#console/ranges/read-range.ts'
import { readForm } from '#console/requests/read-form.ts'
import { showError } from '#console/requests/render-pages.tsx'
import { ConsolePage } from '#console/shell/console-page.tsx'
import controls from '#console/shell/controls.module.css'
import { type Column, makeNumberColumn } from '#console/shell/data-table.tsx'
import {
  describeRemovedValue,
  describeSetValue,
  RemoveValuePage,
} from '#console/shell/dated-values.tsx'
import { EditForm } from '#console/shell/edit-form.tsx'
import figureStyles from '#console/shell/figures.module.css'
import { ButtonForm } from '#console/shell/forms.tsx'
import { useMayDo, useNeedsStepUp } from '#console/shell/shell.tsx'
import { makeMoneyColumn, SortableTable } from '#console/shell/sortable-table.tsx'
import {
  type Affiliate,
  type AffiliateChange,
  type AffiliateErrors,
  type AffiliateFormValues,
  affiliateFields,
  toAffiliateFormValues,
} from '#domain/affiliate/affiliate.ts'
import { toDay } from '#domain/calendar.ts'
import { maskAffiliateId } from '#domain/lead/mask-lead.ts'
import { hidden } from '#domain/lead/personal-values.ts'
import { countsLeadsOnly } from '#domain/measuring/funnel.ts'
import { makeFunnelFigures } from '#domain/measuring/funnel-figures.ts'
import { describeMissingComparison, type Period } from '#domain/measuring/periods.ts'
import type { DatedValueErrors, DatedValueTexts } from '#domain/money/dated-value.ts'
import {
  findRequiredReasonError,
  type Message,
  makeFieldMessage,
  makeSuccessMessage,
  maxLeadReasonLength,
} from '#domain/operator/messages.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import { pluralize } from '#domain/text/formats.ts'
import { hasMaskedValue } from '#server/leads/lead-filters.ts'
import { readComparedScorecards, readScorecards } from '#server/measuring/read-scorecards.ts'
import { readTrend } from '#server/measuring/read-trend.ts'
import { authorize } from '#server/operators/authorize.ts'
import {
  AffiliatePage,
  makeAffiliateForm,
  makeAffiliateQuery,
  RemoveAffiliatePage,
  StopAffiliatePage,
} from './affiliate-page.tsx'

const path = '/affiliates'
const newPath = `${path}/new`

/** The typed values and the errors of a form that the server refused. */
interface RefusedAffiliate {
  readonly typed?: AffiliateFormValues
  readonly payout?: DatedValueTexts
  readonly errors: AffiliateErrors | DatedValueErrors
}

export function affiliateRoutes(services: ConsoleServices) {
  const { store, affiliates, datedValues, flash, clock, programs, siteOrigin } = services
  const { funnel } = store.forConsole
  const showList = async (c: ConsoleContext) => {
    const actor = c.get('actor')
    const { filter, fields, reasons, hidesPersonalOrigins, ...page } = await readListUrl(c)
    const { range, before, given } = page
    const selected = { filter, hidesPersonalOrigins }
    const problem = findFilterProblem({}, page.unknownName) ?? describeFaults(page.faults)
    const partners = await affiliates.list(actor)
    const isCompared = given.compare !== ''
    const [found, earlier, comparison] = await Promise.all([
      readScorecards(funnel, partners, range, selected),
      isCompared ? readScorecards(funnel, partners, before, selected) : undefined,
      isCompared ? funnel.findMissing({ ...before, ...selected }) : undefined,
    ])
    return c.render(
      <AffiliatesPage
        range={page}
        {...found}
        earlier={comparison?.noLeads === undefined ? earlier : undefined}
        missing={describeMissingComparison({ noVisits: undefined, noLeads: comparison?.noLeads })}
        note={await funnel.describeEarlierZone((isCompared ? before : range).first)}
        fields={fields}
        isFiltered={countsLeadsOnly(filter)}
        conditions={makeLeadsParameters(leadDimensionTable, given, reasons)}
      />,
      problem,
      problem ? 400 : 200,
    )
  }

  /** Reads the range and the filter of the list. */
  const readListUrl = async (c: ConsoleContext) => {
    const actor = c.get('actor')
    const url = parsePageFilter({ ...leadDimensionTable, ...rangeParsers }, c.req.query())
    const { given, faults, values, unknownName } = url
    if (hasMaskedValue(given)) authorize(actor, 'search for a person', clock())
    const periods = readRange(url, clock(), store.zone)
    const hidesPersonalOrigins = !isAllowed(actor.role, 'search for a person')
    const reasons = await funnel.reasons(hidesPersonalOrigins)
    const known = makeFieldDefinitions([], await store.forConsole.knownOrigins())
    const fields = makeDimensionFields(leadDimensionTable, url, known, reasons)
    const filter = pickFilter(leadDimensionTable, values)
    const read = { ...periods, path, given, faults, unknownName }
    return { ...read, filter, fields, reasons, hidesPersonalOrigins }
  }

  const showNew = (c: ConsoleContext, refused?: RefusedAffiliate) =>
    c.render(
      <NewAffiliatePage typed={refused?.typed ?? {}} />,
      refused && makeFieldMessage(refused.errors),
      refused && 422,
    )

  const showOne = async (c: ConsoleContext, affiliate: Affiliate, refused?: RefusedAffiliate) => {
    const url = parsePageFilter(rangeParsers, c.req.query())
    const { given, faults, values } = url
    const periods = readRange(url, clock(), store.zone)
    const { range, before } = periods
    const query = { ...range, filter: { affiliate: affiliate.ids } }
    const counts = await funnel.leads({ ...query, by: 'state' })
    const states = Object.groupBy(counts, ({ value }) => `${value}`)
    const page = (
      <AffiliatePage
        range={{ ...periods, path: `${path}/${affiliate.id}`, given, faults }}
        affiliate={affiliate}
        site={siteOrigin}
        typed={refused?.typed ?? toAffiliateFormValues(affiliate)}
        payouts={await datedValues.list(c.get('actor'), affiliate)}
        typedPayout={refused?.payout ?? {}}
        programs={programs()}
        {...(await readComparedScorecards(funnel, affiliate, periods))}
        trend={
          await readTrend(funnel, {
            ...{ range, unit: values.unit, zone: store.zone },
            ...{ filter: query.filter, affiliateId: affiliate.id },
          })
        }
        states={Object.entries(states).map(([text, leads = []]) => ({
          text,
          figures: makeFunnelFigures({}, leads),
        }))}
        ages={await funnel.returnsByAge({ ...range, affiliateId: affiliate.id })}
        note={await funnel.describeEarlierZone(before.first)}
      />
    )
    if (refused) return c.render(page, makeFieldMessage(refused.errors), 422)
    return c.render(page, describeFaults(faults), hasErrors(faults) ? 400 : 200)
  }

  /** Saves the posted affiliate, or shows the form with errors. @param known the affiliate to change */
  const save = async (c: ConsoleContext, known?: Affiliate) => {
    const { lacks, ...posted } = await readForm(c, ...affiliateFields)
    const stored = known && toAffiliateFormValues(known)
    const typed = { ...posted }
    // Payouts have a form of their own, and a page that was opened before an upgrade may lack another field.
    for (const name of affiliateFields) if (stored && lacks(name)) typed[name] = stored[name]
    const { errors, id } = await affiliates.saveForm(c.get('actor'), typed, known)
    if (hasErrors(errors)) {
      const refused = { typed, errors }
      return known ? showOne(c, known, refused) : showNew(c, refused)
    }
    const message = makeSuccessMessage(known ? 'Affiliate saved' : 'Affiliate added')
    return backToPage(c, { id }, message)
  }

  /** Returns to the affiliate's page, with the range that it showed. */
  const backToPage = (c: ConsoleContext, { id }: Pick<Affiliate, 'id'>, message: Message) =>
    flash.redirect(c, `${path}/${id}${new URL(c.req.url).search}`, message)

  const withAffiliate = async (
    c: ConsoleContext,
    show: (c: ConsoleContext, affiliate: Affiliate) => Promise<Response>,
  ) => {
    // `affiliates.find` would also accept an affiliate id from links, which may be a person's email address.
    const all = await affiliates.list(c.get('actor'))
    const affiliate = all.find(({ id }) => id === c.req.param('id'))
    return affiliate
      ? show(c, affiliate)
      : showError(c, 'Affiliate not found', 'The affiliate doesn’t exist or was removed.', 404)
  }

  const authorizeChange = createMiddleware<ConsoleEnv>((c, next) => {
    authorize(c.get('actor'), 'change affiliates', clock())
    return next()
  })

  /** Asks for the reason of a stop or a start, and says what it does. @param reason what the operator typed */
  const showStop =
    (change: AffiliateChange, reason?: string, problem?: Message) =>
    async (c: ConsoleContext, affiliate: Affiliate) =>
      c.render(<StopAffiliatePage {...{ affiliate, change, reason }} />, problem, problem && 422)

  const stopOrStart = (change: AffiliateChange) => async (c: ConsoleContext) => {
    const { reason } = await readForm(c, 'reason')
    const error = findRequiredReasonError(reason, maxLeadReasonLength)
    if (error !== undefined) {
      return withAffiliate(c, showStop(change, reason, makeFieldMessage({ reason: error })))
    }
    return withAffiliate(c, async (_, affiliate) => {
      await affiliates.change(c.get('actor'), affiliate, change, reason.trim())
      const message = makeSuccessMessage(
        change === 'stop' ? 'Affiliate stopped' : 'Affiliate started again',
      )
      return backToPage(c, affiliate, message)
    })
  }

  const changes = new Hono<ConsoleEnv>()
  for (const change of ['stop', 'start'] as const) {
    const at = `${path}/:id/${change}`
    changes.get(at, authorizeChange, (c) => withAffiliate(c, showStop(change)))
    changes.post(at, authorizeChange, stopOrStart(change))
  }

  return new Hono<ConsoleEnv>()
    .route('/', changes)
    .get(path, (c) => showList(c))
    .get(newPath, authorizeChange, (c) => showNew(c))
    .post(path, authorizeChange, (c) => save(c))
    .get(`${path}/:id`, (c) => withAffiliate(c, showOne))
    .post(`${path}/:id`, authorizeChange, (c) => withAffiliate(c, save))
    .post(`${path}/:id/payouts`, authorizeChange, (c) =>
      withAffiliate(c, async (_, affiliate) => {
        const { lacks: __, ...payout } = await readForm(c, 'amount', 'startsOn', 'program')
        const errors = await datedValues.set(c.get('actor'), affiliate, payout)
        if (hasErrors(errors)) return showOne(c, affiliate, { payout, errors })
        const today = toDay(clock(), store.zone)
        return backToPage(c, affiliate, describeSetValue('Payout', payout, today, programs()))
      }),
    )
    .get(`${path}/:id/payouts/remove`, authorizeChange, (c) =>
      withAffiliate(c, async (_, affiliate) => {
        const { value: id, ...query } = c.req.query()
        const values = await datedValues.list(c.get('actor'), affiliate)
        const search = `?${formatQueryString(query)}`
        return c.render(
          <RemoveValuePage
            {...{ name: 'payout', values, id, programs: programs(), now: clock() }}
            action={`${path}/${affiliate.id}/payouts/remove${search}`}
            back={`${path}/${affiliate.id}${search}`}
          />,
        )
      }),
    )
    .post(`${path}/:id/payouts/remove`, authorizeChange, (c) =>
      withAffiliate(c, async (_, affiliate) => {
        const { value } = await readForm(c, 'value')
        const isRemoved = await datedValues.remove(c.get('actor'), affiliate, value)
        return backToPage(c, affiliate, describeRemovedValue('payout', isRemoved))
      }),
    )
    .get(`${path}/:id/remove`, authorizeChange, (c) =>
      withAffiliate(c, async (_, affiliate) => {
        const removal = await affiliates.previewRemoval(c.get('actor'), affiliate)
        return c.render(<RemoveAffiliatePage affiliate={affiliate} removal={removal} />)
      }),
    )
    .post(`${path}/:id/remove`, authorizeChange, (c) =>
      withAffiliate(c, async (_, affiliate) => {
        const due = await affiliates.remove(c.get('actor'), affiliate)
        const text =
          due === 0
            ? 'Its caps held no lead.'
            : `Its caps held ${pluralize(due, 'lead')}. Within a second, the workers send those that no other cap holds.`
        const heading = `Affiliate removed: ${affiliate.name}`
        return flash.redirect(c, path, makeSuccessMessage(heading, text))
      }),
    )
}

const hasErrors = (errors: object): boolean => Object.keys(errors).length > 0

type Scorecards = Awaited<ReturnType<typeof readScorecards>>

interface AffiliatesPageProps extends Scorecards {
  /** The compared period's; undefined if the operator asks for no comparison, or it would be incomplete. */
  earlier: Scorecards | undefined
  /** Says why the comparison would be incomplete; empty if it isn't. */
  missing: string
  range: RangePickerProps & { readonly given: { readonly reason: string } }
  fields: readonly FilterFieldProps[]
  /** Whether the page counts only some leads. */
  isFiltered: boolean
  /** The conditions of `/leads` for the filter; undefined if `/leads` lacks one of them. */
  conditions: LeadsParameters | undefined
  /** Says what was counted in another time zone; empty if nothing was. */
  note: string
}

/** The page shows at most this many ids without an affiliate. */
const maxUnknownIds = 25

/** Lists the affiliates with the results of their leads, and the ids that belong to no affiliate. */
function AffiliatesPage(props: AffiliatesPageProps) {
  const { unknown, note, isFiltered, earlier } = props
  const { range, before, given } = props.range
  const mayChange = useMayDo()('change affiliates')
  const canAdopt = !useNeedsStepUp() && mayChange
  const query = formatQueryString(given)
  const answers = given.reason === '' ? acceptanceColumns : []
  const money = isFiltered ? [] : moneyColumns
  const payouts = isFiltered ? [] : [payoutColumn, ...moneyColumns]
  return (
    <ConsolePage
      name="Affiliates"
      actions={
        mayChange && (
          <a className={controls.button} href={newPath}>
            Add an affiliate
          </a>
        )
      }
    >
      <RangePicker {...props.range} comparison="on request" />
      <FilterForm
        action={path}
        fields={props.fields}
        hidden={pickRangeTexts(given)}
        isFiltered={isFiltered}
      />
      <p className={figureStyles.sentence}>
        {props.missing} {note}{' '}
        {isFiltered && `${onlyLeads} Under a filter, the list leaves out money.`} <CountingRules />{' '}
        {unknown.length > 0 && (
          <a href="#unknown">{pluralize(unknown.length, 'id')} without an affiliate</a>
        )}
      </p>
      {/* A reason selects rejected leads only, which have no acceptance rate. */}
      {given.reason === '' && (
        <IntervalChart
          rows={props.affiliates.map(({ affiliate, figures: { leads }, rate }) => ({
            ...{ leads, rate, href: `${path}/${affiliate.id}${query && `?${query}`}` },
            name: `${affiliate.name}${affiliate.stoppedAt === null ? '' : ' (stopped)'}`,
          }))}
          all={props.total.rate}
        />
      )}
      <SortableTable
        name="Affiliates"
        columns={
          earlier
            ? [nameColumn, ...[leadsColumn, ...answers, ...money].flatMap(withEarlier)]
            : [nameColumn, idsColumn, leadsColumn, ...rejectionColumns, ...answers, ...payouts]
        }
        rows={props.affiliates.map((row) => {
          const leadsQueryOf = (days: Period) =>
            makeAffiliateQuery(row.affiliate.ids, days, props.conditions)
          const was = earlier?.affiliates.find(({ affiliate: { id } }) => id === row.affiliate.id)
          return {
            ...row,
            href: `${path}/${row.affiliate.id}${query && `?${query}`}`,
            leadsQuery: leadsQueryOf(range),
            earlier: was && { ...was, leadsQuery: leadsQueryOf(before) },
          }
        })}
        total={{
          ...props.total,
          affiliate: { name: 'All affiliates', ids: [], payoutCents: null, stoppedAt: null },
          ...{ href: undefined, leadsQuery: undefined },
          earlier: earlier && { ...earlier.total, leadsQuery: undefined },
        }}
        empty="No affiliates yet."
      />
      <h2 id="unknown">Ids without an affiliate</h2>
      <SortableTable
        name="Ids without an affiliate"
        columns={[...makeUnknownColumns(isFiltered), ...(canAdopt ? [adoptColumn] : [])]}
        maxRows={maxUnknownIds}
        rows={unknown.map(({ isPersonal, ...row }) => {
          const isMasked = isPersonal || maskAffiliateId(row.id) !== row.id
          const leadsQuery = isMasked
            ? undefined
            : makeAffiliateQuery([row.id], range, props.conditions)
          return { ...row, isPersonal, isMasked, leadsQuery }
        })}
        total={{
          ...{ id: 'All ids', isPersonal: false, isMasked: false, isTotal: true },
          leadsQuery: undefined,
          figures: props.unknownTotal,
        }}
        empty="Every affiliate id in the visits and leads of these days belongs to an affiliate."
      />
    </ConsolePage>
  )
}

function NewAffiliatePage({ typed }: { typed: Partial<AffiliateFormValues> }) {
  return (
    <ConsolePage name="Add an affiliate">
      <EditForm
        {...makeAffiliateForm(true)}
        action={path}
        name="New affiliate"
        button="Add"
        values={typed}
      />
      <p>
        <a href={path}>All affiliates</a>
      </p>
    </ConsolePage>
  )
}

interface WithLink {
  /** The query string of `/leads` for the counted leads; undefined if `/leads` cannot list them. */
  readonly leadsQuery: string | undefined
}

type AffiliateResults = AffiliatesPageProps['total'] & WithLink

type AffiliateRow = AffiliateResults & {
  readonly affiliate: Pick<Affiliate, 'name' | 'ids' | 'payoutCents' | 'stoppedAt'>
  readonly href: string | undefined
  readonly earlier: AffiliateResults | undefined
}

const nameColumn: Column<AffiliateRow> = {
  heading: 'Name',
  isUnlabeled: true,
  cell: ({ affiliate: { name, stoppedAt }, href }) => (
    <>
      {href === undefined ? name : <a href={href}>{name}</a>}
      {stoppedAt !== null && ' (stopped)'}
    </>
  ),
  value: ({ affiliate: { name } }) => name,
}

const idsColumn: Column<AffiliateRow> = {
  heading: 'Ids',
  isUnlabeled: true,
  cell: ({ affiliate }) => affiliate.ids.map(maskAffiliateId).join(', '),
}

const payoutColumn: Column<AffiliateRow> = makeMoneyColumn(
  'Payout now',
  ({ affiliate: { payoutCents } }) => payoutCents,
)

/** Money has no state, reason or campaign. */
const moneyColumns: readonly Column<AffiliateResults>[] = [
  makeMoneyColumn('Revenue', ({ revenueCents }) => revenueCents),
  makeMoneyColumn('Owed', ({ owedCents }) => owedCents),
  makeMoneyColumn('Margin before ad spend', ({ marginCents }) => marginCents),
  makeMoneyColumn('Payout per kept lead', ({ payoutPerKeptCents }) => payoutPerKeptCents),
]

/** The columns of the comparison. With all columns, the table would be too wide. */
const compared = ['Leads', 'Accepted', 'Acceptance rate', 'Owed', 'Margin before ad spend']

/** Puts a column beside that of the compared period, or leaves it out of the comparison. */
const withEarlier = (column: Column<AffiliateResults>): readonly Column<AffiliateRow>[] =>
  compared.includes(column.heading)
    ? [
        column,
        {
          ...column,
          heading: `${column.heading}, before`,
          cell: ({ earlier }) => earlier && column.cell(earlier),
          value: ({ earlier }) => earlier && column.value?.(earlier),
        },
      ]
    : []

type UnknownIdRow = AffiliatesPageProps['unknown'][number] &
  WithLink & { readonly isMasked: boolean; readonly isTotal?: boolean }

const makeUnknownColumns = (isFiltered: boolean): readonly Column<UnknownIdRow>[] => [
  {
    heading: 'Id',
    isUnlabeled: true,
    cell: ({ id, isPersonal }) => (isPersonal ? hidden : maskAffiliateId(id)),
  },
  makeNumberColumn('Visits', ({ figures }) => !isFiltered && figures.visits),
  leadsColumn,
]

const adoptColumn: Column<UnknownIdRow> = {
  heading: 'Action',
  value: null,
  cell: ({ id, isMasked, isTotal }) =>
    isMasked
      ? 'This id looks like an email address or a phone number: add it by hand.'
      : !isTotal && (
          <ButtonForm
            action={path}
            button="Adopt"
            name={`Adopt ${id}`}
            fields={{ name: id, ids: id }}
          />
        ),
}
