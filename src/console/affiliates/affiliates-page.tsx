import type { Affiliate } from '#domain/affiliate/affiliate.ts'
import type { Scorecard } from '#domain/affiliate/scorecard.ts'
import { describeAcceptanceRate } from '#domain/measuring/acceptance-rate.ts'
import type { FunnelRange } from '#domain/measuring/funnel.ts'
import type { FunnelFigures } from '#domain/measuring/funnel-figures.ts'
import { formatDollars } from '#domain/text/format-dollars.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { formatNumber, formatRange, LeadCount } from '../funnel/funnel-page.tsx'
import { FilterForm, type FilterFormProps } from '../leads/filter-form.tsx'
import { ConsolePage, type ConsoleShell, isActionAllowed } from '../shell/console-page.tsx'
import { type Column, DataTable } from '../shell/data-table.tsx'
import figureStyles from '../shell/figures.module.css'
import { ButtonForm } from '../shell/forms.tsx'
import type { Message } from '../shell/message.tsx'
import { AffiliateForm, type AffiliateFormProps } from './affiliate-page.tsx'

export interface AffiliatesPageProps extends Pick<AffiliateFormProps, 'typed'> {
  shell: ConsoleShell
  filter: FilterFormProps
  message: Message | undefined
  range: FunnelRange
  rows: readonly AffiliateRow[]
  unknown: readonly UnknownIdRow[]
  /** How many ids without an affiliate the page leaves out. */
  moreUnknown: number
}

interface AffiliateRow extends Scorecard {
  readonly affiliate: Affiliate
  /** The affiliate's ids, those masked that may be a person's address. */
  readonly shownIds: readonly string[]
  /** The query of the list with the affiliate's leads; undefined if the list cannot show them. */
  readonly leadsQuery: string | undefined
}

interface UnknownIdRow extends Pick<AffiliateRow, 'leadsQuery'> {
  /** Masked if it may be a person's address. */
  readonly shownId: string
  /** Undefined if it is masked. */
  readonly id: string | undefined
  readonly figures: FunnelFigures
}

/** Lists affiliates with what their leads came to, and ids that no affiliate has. */
export function AffiliatesPage(props: AffiliatesPageProps) {
  const { shell, filter, message, range, rows, unknown, moreUnknown, typed } = props
  const canAdopt = isActionAllowed(shell, 'change affiliates') && shell.stepUpFor === undefined
  return (
    <ConsolePage shell={shell} name="Affiliates" message={message}>
      <FilterForm {...filter} />
      <p className={figureStyles.sentence}>
        {formatRange(range)}, most leads first. Every number is by visit date: a visit counts when
        it began and a lead when it was received, with its current status. docs/measuring.md defines
        each number.{' '}
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
        keyOf={({ affiliate }) => affiliate.id}
        empty="No affiliates yet."
      />
      <h2 id="unknown">Ids without an affiliate</h2>
      <DataTable
        name="Ids without an affiliate"
        columns={makeUnknownColumns(shell.token, canAdopt)}
        rows={unknown.map((row, place) => ({ ...row, place }))}
        keyOf={({ place }) => String(place)}
        empty="Every id in these days’ visits and leads belongs to an affiliate."
      />
      {moreUnknown > 0 && (
        <p>{pluralize(moreUnknown, 'id')} with fewer leads and visits are left out.</p>
      )}
      {isActionAllowed(shell, 'change affiliates') && <h2>Add an affiliate</h2>}
      <AffiliateForm
        {...{ shell, typed }}
        action="/affiliates"
        name="New affiliate"
        button="Add"
        errors={message?.fields}
      />
    </ConsolePage>
  )
}

const columns: readonly Column<AffiliateRow>[] = [
  {
    heading: 'Name',
    isPlain: true,
    cell: ({ affiliate }) => <a href={`/affiliates/${affiliate.id}`}>{affiliate.name}</a>,
  },
  { heading: 'Ids', isPlain: true, cell: ({ shownIds }) => shownIds.join(', ') },
  {
    heading: 'Leads',
    isNumber: true,
    cell: ({ figures, leadsQuery }) => <LeadCount count={figures.leads} query={leadsQuery} />,
  },
  {
    heading: 'Accepted',
    isNumber: true,
    cell: ({ accepted, leadsQuery }) => (
      <LeadCount count={accepted} query={leadsQuery} status="status=delivered" />
    ),
  },
  {
    heading: 'Returned',
    isNumber: true,
    cell: ({ figures, leadsQuery }) => (
      <LeadCount count={figures.returned} query={leadsQuery} status="returned=yes" />
    ),
  },
  {
    heading: 'Acceptance rate',
    isNumber: true,
    isPlain: true,
    cell: ({ rate }) => describeAcceptanceRate(rate),
  },
  {
    heading: 'Payout per lead',
    isNumber: true,
    cell: ({ affiliate: { payoutCents } }) => payoutCents !== null && formatDollars(payoutCents),
  },
  {
    heading: 'Cost per accepted lead',
    isNumber: true,
    cell: ({ costPerAcceptedCents: cents }) => cents !== undefined && formatDollars(cents),
  },
]

const makeUnknownColumns = (
  token: string,
  canAdopt: boolean,
): readonly Column<UnknownIdRow & { readonly place: number }>[] => [
  { heading: 'Id', isPlain: true, cell: ({ shownId }) => shownId },
  { heading: 'Visits', isNumber: true, cell: ({ figures }) => formatNumber(figures.visits) },
  {
    heading: 'Leads',
    isNumber: true,
    cell: ({ figures, leadsQuery }) => <LeadCount count={figures.leads} query={leadsQuery} />,
  },
  {
    heading: 'Action',
    isHidden: !canAdopt,
    cell: ({ id }) =>
      id === undefined ? (
        'Looks like an address or a phone number: add it by hand.'
      ) : (
        <ButtonForm
          action="/affiliates"
          token={token}
          button="Adopt"
          name={`Adopt ${id}`}
          fields={{ name: id, ids: id }}
        />
      ),
  },
]
