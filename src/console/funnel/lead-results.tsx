import { type Column, makeNumberColumn } from '#console/shell/data-table.tsx'
import { useMayDo } from '#console/shell/shell.tsx'
import { SortableTable, toShare } from '#console/shell/sortable-table.tsx'
import { describeRejectionCause, isPersonalStatus, leadOutcomes } from '#domain/lead/lead-status.ts'
import {
  describeAcceptanceRate,
  type FunnelFigures,
  findAcceptanceRate,
} from '#domain/measuring/funnel-figures.ts'
import { capitalize, formatNumber, formatShare } from '#domain/text/formats.ts'

interface LeadCountLinkProps {
  count: number
  /** The query string of `/leads` for a list that contains the counted leads; undefined if `/leads` cannot list them. */
  query: string | undefined
  /** A further condition that selects only the counted leads. */
  status?: string | undefined
}

/** Shows a number of leads, with a link to these leads. */
export const LeadCountLink = ({ count, query, status = '' }: LeadCountLinkProps) =>
  query === undefined ? (
    formatNumber(count)
  ) : (
    <a href={`/leads?${[query, status].filter((part) => part !== '').join('&')}`}>
      {formatNumber(count)}
    </a>
  )

export const countAccepted = ({ byStatus }: FunnelFigures): number => byStatus.delivered ?? 0

export interface CountedLeads {
  readonly figures: FunnelFigures
  /** The query string of `/leads` for the counted leads; undefined if `/leads` cannot list them. */
  readonly leadsQuery: string | undefined
}

export const leadsColumn: Column<CountedLeads> = makeNumberColumn(
  'Leads',
  ({ figures, leadsQuery }) => <LeadCountLink count={figures.leads} query={leadsQuery} />,
  ({ figures }) => figures.leads,
)

const makeCountColumn = (
  heading: string,
  status: string,
  count: (figures: FunnelFigures) => number,
): Column<CountedLeads> =>
  makeNumberColumn(
    heading,
    ({ figures, leadsQuery }) => (
      <LeadCountLink count={count(figures)} query={leadsQuery} status={status} />
    ),
    ({ figures }) => count(figures),
  )

/** The columns that say why a rate is low, or too few to tell. */
export const rejectionColumns: readonly Column<CountedLeads>[] = [
  makeCountColumn('Rejected', 'rejected=any', ({ byStatus }) => byStatus.rejected ?? 0),
  makeCountColumn('Quarantined', 'status=quarantined', ({ byStatus }) => byStatus.quarantined ?? 0),
]

export const acceptanceColumns: readonly Column<CountedLeads>[] = [
  makeCountColumn('Accepted', 'status=delivered', countAccepted),
  makeCountColumn('Returned', 'returned=yes', ({ returned }) => returned),
  {
    ...{ heading: 'Acceptance rate', isNumber: true, isOneLine: true },
    cell: ({ figures }) => describeAcceptanceRate(findRate(figures), true),
    value: ({ figures }) => {
      const rate = findRate(figures)
      return rate && toShare(rate.share, 1)
    },
  },
]

const findRate = (figures: FunnelFigures) =>
  findAcceptanceRate(countAccepted(figures), figures.byStatus.rejected ?? 0)

interface LeadsByStatusTableProps {
  now: FunnelFigures
  /** Undefined if the earlier leads can't be compared. */
  earlier: FunnelFigures | undefined
  leadsQuery: string | undefined
}

export function LeadsByStatusTable({
  now: all,
  earlier: before,
  leadsQuery,
}: LeadsByStatusTableProps) {
  const mayDo = useMayDo()
  const rows = listResults(all, before).filter(
    ({ key }) => !isPersonalStatus(key) || mayDo('reveal a lead'),
  )
  return (
    <SortableTable
      name="Lead results"
      columns={[
        { heading: 'Status', isUnlabeled: true, cell: ({ name }) => name },
        makeNumberColumn(
          'Leads',
          ({ now, query }: LeadResult) => (
            <LeadCountLink count={now} query={leadsQuery} status={query} />
          ),
          ({ now }) => now,
        ),
        makeNumberColumn(
          'Of all leads',
          ({ now }: LeadResult) => formatShare(now, all.leads),
          ({ now }) => toShare(now, all.leads),
        ),
        makeNumberColumn('Before', ({ earlier }: LeadResult) => earlier),
      ]}
      rows={all.leads === 0 ? [] : rows}
      total={{ key: '', name: 'All leads', query: '', now: all.leads, earlier: before?.leads }}
      empty="No lead was received on these days."
    />
  )
}

/** The table shows these results only if leads have them. */
const rareResults = [
  ...['Returned', 'Retried after a rejection', 'Failed', 'Do not contact', 'Duplicates', 'Erased'],
]

function listResults(now: FunnelFigures, earlier: FunnelFigures | undefined) {
  const toRow = (
    name: string,
    query: string,
    count: (of: FunnelFigures) => number,
    key: string = name,
  ) => ({
    key,
    name,
    query,
    now: count(now),
    earlier: earlier && count(earlier),
  })
  const [accepted, rejected, ...others] = leadOutcomes.map(([key, name, query]) =>
    toRow(capitalize(name), query, ({ byStatus }) => byStatus[key] ?? 0, key),
  )
  const returned = toRow('Returned', 'returned=yes', (figures) => figures.returned)
  const causes = Object.keys(now.rejectedBecause).map((cause) =>
    toRow(
      describeRejectionCause(cause),
      `rejected=${cause}`,
      ({ rejectedBecause }) => rejectedBecause[cause] ?? 0,
    ),
  )
  const retried = toRow(
    'Retried after a rejection',
    'rejected=any&status=pending&status=leased&status=dead',
    (figures) => figures.retried,
  )
  return [accepted, returned, rejected, ...(causes.length > 1 ? causes : []), retried, ...others]
    .filter((row) => row !== undefined)
    .filter((row) => !rareResults.includes(row.name) || row.now + (row.earlier ?? 0) > 0)
}

type LeadResult = ReturnType<typeof listResults>[number]
