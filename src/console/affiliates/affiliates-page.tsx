import { CountingRules } from '#console/funnel/funnel-page.tsx'
import { acceptanceColumns, leadsColumn } from '#console/funnel/lead-results.tsx'
import { FilterForm, type FilterFormProps } from '#console/leads/filter-form.tsx'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable, makeNumberColumn } from '#console/shell/data-table.tsx'
import { EditForm } from '#console/shell/edit-form.tsx'
import figureStyles from '#console/shell/figures.module.css'
import { ButtonForm } from '#console/shell/forms.tsx'
import { useFieldErrors, useMayDo, useNeedsStepUp } from '#console/shell/shell.tsx'
import type { Affiliate, AffiliateFormValues } from '#domain/affiliate/affiliate.ts'
import type { Scorecard } from '#domain/affiliate/scorecard.ts'
import type { FunnelRange } from '#domain/measuring/funnel.ts'
import type { FunnelFigures } from '#domain/measuring/funnel-figures.ts'
import { formatDollars } from '#domain/text/format-dollars.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { formatRange } from '#domain/text/time-formats.ts'
import { makeAffiliateForm } from './affiliate-page.tsx'

export interface AffiliatesPageProps {
  filter: FilterFormProps
  typed: AffiliateFormValues
  range: FunnelRange
  rows: readonly AffiliateRow[]
  unknown: readonly UnknownIdRow[]
  /** The number of ids without an affiliate that the page leaves out. */
  moreUnknown: number
}

interface AffiliateRow extends Scorecard {
  readonly affiliate: Affiliate
  /** The URL of the affiliate's page for the same days. */
  readonly href: string
  /** The affiliate's ids. An id that looks like an email address or a phone number is masked. */
  readonly shownIds: readonly string[]
  /** The query string of `/leads` for the affiliate's leads; undefined if `/leads` cannot list them. */
  readonly leadsQuery: string | undefined
}

interface UnknownIdRow extends Pick<AffiliateRow, 'leadsQuery'> {
  /** The affiliate id, masked if it looks like an email address or a phone number. */
  readonly shownId: string
  /** The whole affiliate id; undefined if `shownId` is masked. */
  readonly id: string | undefined
  readonly figures: FunnelFigures
}

/** Lists the affiliates with the results of their leads, and the ids that belong to no affiliate. */
export function AffiliatesPage(props: AffiliatesPageProps) {
  const { filter, range, rows, unknown, moreUnknown, typed } = props
  const mayDo = useMayDo()
  const needsStepUp = useNeedsStepUp()
  const canAdopt = mayDo('change affiliates') && !needsStepUp
  return (
    <ConsolePage name="Affiliates">
      <FilterForm {...filter} />
      <p className={figureStyles.sentence}>
        {formatRange(range)}, most leads first. <CountingRules />{' '}
        {unknown.length > 0 && (
          <a href="#unknown">
            {pluralize(unknown.length + moreUnknown, 'id')} without an affiliate
          </a>
        )}
      </p>
      <DataTable
        name="Affiliates"
        isCompact
        columns={columns}
        rows={rows}
        empty="No affiliates yet."
      />
      <h2 id="unknown">Ids without an affiliate</h2>
      <DataTable
        name="Ids without an affiliate"
        columns={[...unknownColumns, ...(canAdopt ? [adoptColumn] : [])]}
        rows={unknown}
        empty="Every affiliate id in the visits and leads of these days belongs to an affiliate."
      />
      {moreUnknown > 0 && (
        <p>The table leaves out {pluralize(moreUnknown, 'id')} with fewer leads and visits.</p>
      )}
      {mayDo('change affiliates') && <h2>Add an affiliate</h2>}
      <EditForm
        {...makeAffiliateForm(useFieldErrors())}
        action="/affiliates"
        name="New affiliate"
        button="Add"
        values={typed}
      />
    </ConsolePage>
  )
}

const columns: readonly Column<AffiliateRow>[] = [
  {
    heading: 'Name',
    isUnlabeled: true,
    cell: ({ affiliate, href }) => <a href={href}>{affiliate.name}</a>,
  },
  { heading: 'Ids', isUnlabeled: true, cell: ({ shownIds }) => shownIds.join(', ') },
  leadsColumn,
  ...acceptanceColumns,
  makeNumberColumn(
    'Payout per lead',
    ({ affiliate: { payoutCents } }) => payoutCents !== null && formatDollars(payoutCents),
  ),
  makeNumberColumn(
    'Cost per accepted lead',
    ({ costPerAcceptedCents: cents }) => cents !== undefined && formatDollars(cents),
  ),
]

const unknownColumns: readonly Column<UnknownIdRow>[] = [
  { heading: 'Id', isUnlabeled: true, cell: ({ shownId }) => shownId },
  makeNumberColumn('Visits', ({ figures }) => figures.visits),
  leadsColumn,
]

const adoptColumn: Column<UnknownIdRow> = {
  heading: 'Action',
  cell: ({ id }) =>
    id === undefined ? (
      'This id looks like an email address or a phone number: add it by hand.'
    ) : (
      <ButtonForm
        action="/affiliates"
        button="Adopt"
        name={`Adopt ${id}`}
        fields={{ name: id, ids: id }}
      />
    ),
}
