import { scaleLinear, scaleQuantize } from 'd3-scale'
import { LeadCountLink } from '#console/funnel/lead-results.tsx'
import { makeNumberColumn } from '#console/shell/data-table.tsx'
import { SortableTable, toShare } from '#console/shell/sortable-table.tsx'
import { findStateName } from '#domain/enquiry/state-code.ts'
import { findAcceptanceRate } from '#domain/measuring/funnel-figures.ts'
import { formatNumber, formatShare } from '#domain/text/formats.ts'
import type { OutcomeCount } from '#server/measuring/funnel-reader.ts'
import { ChartFigure, ChartTable } from './chart-figure.tsx'
import styles from './tile-map.module.css'

/** The states about where they are on a map, in 11 columns. */
const grid = [
  'AK . . . . . . . . . ME',
  '. . . . . . . . . VT NH',
  'WA ID MT ND MN IL WI MI NY RI MA',
  'OR NV WY SD IA IN OH PA NJ CT .',
  'CA UT CO NE MO KY WV VA MD DE .',
  '. AZ NM KS AR TN NC SC DC . .',
  '. . . OK LA MS AL GA . . .',
  'HI . . TX . . . . FL . PR',
].map((row) => row.split(' '))

/** A tile's size and the distance between two tiles, in SVG units. */
const [size, step] = [31, 32]

interface StateRow {
  readonly state: string
  readonly accepted: number
  readonly rejected: number
}

const countAnswers = ({ accepted, rejected }: StateRow): number => accepted + rejected

/** Adds up the leads that the distributor accepted or rejected, by state. */
function toStateRows(outcomes: readonly OutcomeCount[]): readonly StateRow[] {
  const add = (found: readonly OutcomeCount[]) => found.reduce((sum, { leads }) => sum + leads, 0)
  return [...Map.groupBy(outcomes, ({ value }) => value)]
    .map(([state, found]) => ({
      state: String(state ?? ''),
      accepted: add(found.filter(({ status }) => status === 'delivered')),
      rejected: add(found.filter(({ cause }) => cause !== null)),
    }))
    .filter((row) => row.state !== '' && countAnswers(row) > 0)
}

/** States with fewer answers have no share, as no affiliate has: see `findAcceptanceRate`. */
const findRejectedShare = ({ accepted, rejected }: StateRow): number | undefined =>
  findAcceptanceRate(rejected, accepted)?.share

interface TileMapProps {
  /** The counts of leads by state. */
  outcomes: readonly OutcomeCount[]
  /** The query string of `/leads` for all counted leads; undefined if `/leads` cannot list them. */
  leadsQuery: string | undefined
}

/** Shows the share of rejected leads of each state as a map of tiles, and all states in a table. */
export function TileMap({ outcomes, leadsQuery }: TileMapProps) {
  const rows = toStateRows(outcomes).toSorted((one, other) => other.rejected - one.rejected)
  const shares = rows.map(findRejectedShare).filter((share) => share !== undefined)
  if (shares.length === 0) {
    return <p>No state has ten accepted or rejected leads on these days, so there is no map.</p>
  }
  const [, top = 1] = scaleLinear([0, Math.max(...shares, 0.01)], [0, 1])
    .nice(5)
    .domain()
  const levelOf = scaleQuantize([0, Math.min(1, top)], [0, 1, 2, 3, 4])
  const total = { state: '', ...sum(rows) }
  const most = rows.slice(0, 3).filter(({ rejected }) => rejected > 0)
  const summary = `The most are from ${most.map(describeState).join(', ')}. A number is the percentage of a state’s accepted and rejected leads that were rejected; “–” is a state with fewer than ten.`
  const byState = new Map(rows.map((row) => [row.state, row]))
  return (
    <>
      <ChartFigure
        name="Rejections by state"
        value={`${formatNumber(total.rejected)} (${formatShare(total.rejected, countAnswers(total))})`}
        summary={total.rejected === 0 ? 'No lead was rejected.' : summary}
      >
        <svg
          className={styles.map}
          viewBox={`0 0 ${11 * step} ${grid.length * step}`}
          aria-hidden="true"
        >
          {grid.flatMap((codes, y) =>
            codes.map((code, x) => {
              if (code === '.') return undefined
              const row = byState.get(code)
              const share = row && findRejectedShare(row)
              const level = share === undefined ? 'none' : levelOf(share)
              return (
                <g key={code} data-level={level} transform={`translate(${x * step} ${y * step})`}>
                  <title>{describeTile(code, row)}</title>
                  <rect width={size} height={size} rx={4} />
                  <text x={size / 2} y={13}>
                    {code}
                  </text>
                  <text x={size / 2} y={27} className={styles.share}>
                    {share === undefined ? '–' : Math.round(share * 100)}
                  </text>
                </g>
              )
            }),
          )}
        </svg>
        <ul className={styles.legend}>
          {levelOf.range().map((level) => {
            const [from, to] = levelOf.invertExtent(level)
            return (
              <li key={level} data-level={level}>
                {Math.round(from * 100)}–{Math.round(to * 100)}%
              </li>
            )
          })}
        </ul>
      </ChartFigure>
      <ChartTable name="Rejections by state">
        <SortableTable
          name="Rejections by state"
          isCompact
          columns={[
            {
              heading: 'State',
              isUnlabeled: true,
              cell: ({ state }: StateRow) =>
                state === '' ? 'Total' : `${findStateName(state) ?? 'unknown'} (${state})`,
            },
            makeNumberColumn(
              'Rejected',
              ({ state, rejected }: StateRow) => (
                <LeadCountLink
                  count={rejected}
                  query={leadsQuery}
                  status={`rejected=any${state && `&state=${state}`}`}
                />
              ),
              ({ rejected }) => rejected,
            ),
            makeNumberColumn('Accepted', ({ accepted }: StateRow) => accepted),
            makeNumberColumn(
              'Rejected share',
              (row: StateRow) => formatShare(row.rejected, countAnswers(row)),
              (row) => toShare(row.rejected, countAnswers(row)),
            ),
          ]}
          rows={rows}
          total={total}
        />
      </ChartTable>
    </>
  )
}

const sum = (rows: readonly StateRow[]) => ({
  accepted: rows.reduce((all, { accepted }) => all + accepted, 0),
  rejected: rows.reduce((all, { rejected }) => all + rejected, 0),
})

const describeState = ({ state, rejected }: StateRow): string =>
  `${findStateName(state) ?? state} (${formatNumber(rejected)})`

const describeTile = (code: string, row: StateRow | undefined): string =>
  row === undefined
    ? `${findStateName(code)}: no answer`
    : `${findStateName(code)}: ${formatNumber(row.rejected)} of ${formatNumber(countAnswers(row))} rejected`
