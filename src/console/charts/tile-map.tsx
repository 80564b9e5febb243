import { scaleLinear, scaleQuantize } from 'd3-scale'
import { findStateName } from '#domain/enquiry/state-code.ts'
import { type FunnelFigures, findAcceptanceRate } from '#domain/measuring/funnel-figures.ts'
import { formatNumber, formatShare } from '#domain/text/formats.ts'
import { ChartFigure } from './chart-figure.tsx'
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
  readonly text: string
  readonly figures: FunnelFigures
}

const count = ({ figures: { byStatus } }: StateRow) => {
  const { delivered: accepted = 0, rejected = 0 } = byStatus
  // States with fewer answers have no share, as no affiliate has.
  return { rejected, answers: accepted + rejected, rate: findAcceptanceRate(rejected, accepted) }
}

/**
 * Shows the share of rejected leads of each state as a map of tiles.
 * @param isOfReason whether all leads were rejected: the map then shows how many of them are from each state
 */
export function TileMap({
  rows,
  isOfReason = false,
}: {
  rows: readonly StateRow[]
  isOfReason?: boolean
}) {
  const states = new Map(rows.map((row) => [row.text, count(row)]))
  const all = [...states.values()]
  const rejected = all.reduce((sum, one) => sum + one.rejected, 0)
  const findShare = (one: ReturnType<typeof count>) =>
    isOfReason ? one.rejected / rejected : one.rate?.share
  const shares = all.flatMap((one) => findShare(one) ?? [])
  if (shares.length === 0) {
    return <p>No state has ten accepted or rejected leads on these days, so there is no map.</p>
  }
  const [, top = 1] = scaleLinear([0, Math.max(...shares, 0.01)], [0, 1])
    .nice(5)
    .domain()
  const levelOf = scaleQuantize([0, Math.min(1, top)], [0, 1, 2, 3, 4])
  const answers = all.reduce((sum, one) => sum + one.answers, 0)
  const most = [...states]
    .toSorted(([, one], [, other]) => other.rejected - one.rejected)
    .slice(0, 3)
    .map(([code, one]) => `${findStateName(code) ?? code} (${formatNumber(one.rejected)})`)
  return (
    <ChartFigure
      name="Rejections by state"
      value={
        isOfReason
          ? formatNumber(rejected)
          : `${formatNumber(rejected)} (${formatShare(rejected, answers)})`
      }
      summary={
        rejected === 0
          ? 'No lead was rejected.'
          : `The most are from ${most.join(', ')}. A number is the percentage of ${isOfReason ? 'these leads that are from the state' : 'a state’s accepted and rejected leads that were rejected; “–” is a state with fewer than ten'}.`
      }
    >
      <svg
        className={styles.map}
        viewBox={`0 0 ${11 * step} ${grid.length * step}`}
        aria-hidden="true"
      >
        {grid.flatMap((codes, y) =>
          codes.map((code, x) => {
            if (code === '.') return undefined
            const found = states.get(code)
            const share = found && findShare(found)
            const level = share === undefined ? 'none' : levelOf(share)
            return (
              <g key={code} data-level={level} transform={`translate(${x * step} ${y * step})`}>
                <title>
                  {findStateName(code)}: {formatNumber(found?.rejected ?? 0)} of{' '}
                  {formatNumber(isOfReason ? rejected : (found?.answers ?? 0))} rejected
                </title>
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
  )
}
