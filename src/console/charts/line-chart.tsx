import { scaleLinear, scaleLog } from 'd3-scale'
import { line } from 'd3-shape'
import { Chart, type ChartProps, height, width } from './chart.tsx'
import styles from './charts.module.css'

export interface ChartLine {
  /** Told apart by its strokes, not by its colour. */
  readonly stroke: 'whole' | 'dashed'
  /** In the order of time; null where there is none. */
  readonly values: readonly (number | null)[]
}

interface LineChartProps extends ChartProps {
  lines: readonly ChartLine[]
  inWords: (value: number) => string
  /** Milliseconds and days are to be seen in one drawing. */
  areLengths?: boolean
}

export function LineChart({ lines, inWords, areLengths = false, ...chart }: LineChartProps) {
  const values = lines.flatMap((one) => one.values.filter((value) => value !== null))
  const y = areLengths ? logOf(values) : linearOf(values)
  const [least = 0, most = 1] = y.domain()
  return (
    <Chart {...chart} edges={[inWords(most), inWords(least)]}>
      {lines.map(({ stroke, values }) => {
        const x = scaleLinear([0, Math.max(1, values.length - 1)], [0, width])
        const points = values.map((value, index) => ({ value, index }))
        const draw = line<(typeof points)[number]>(
          ({ index }) => x(index),
          ({ value }) => y(value ?? 0),
        )
          .defined(({ value }) => value !== null)
          .digits(1)
        return (
          <g key={stroke}>
            <path className={styles[stroke]} d={draw(points) ?? ''} />
            {points.filter(isAlone).map(({ value, index }) => (
              <path key={index} className={styles.point} d={`M${x(index)} ${y(value ?? 0)}h0`} />
            ))}
          </g>
        )
      })}
    </Chart>
  )
}

interface Point {
  readonly value: number | null
}

/** Between two gaps there is no line to be seen. */
const isAlone = ({ value }: Point, index: number, points: readonly Point[]): boolean =>
  value !== null &&
  (points[index - 1]?.value ?? null) === null &&
  (points[index + 1]?.value ?? null) === null

const linearOf = (values: readonly number[]) =>
  scaleLinear([0, Math.max(1, ...values)], [height, 0]).nice(2)

/** Lengths that a reader has a feeling for, in milliseconds. */
const knownLengths = [
  1, 10, 100, 1000, 10_000, 60_000, 600_000, 3_600_000, 36_000_000, 86_400_000, 604_800_000,
]

/** From one of them to another. */
function logOf(values: readonly number[]) {
  const [shortest, longest] =
    values.length === 0 ? [10, 1000] : [Math.min(...values), Math.max(...values)]
  const least = knownLengths.findLast((length) => length <= shortest) ?? 1
  const most = knownLengths.find((length) => length >= longest && length > least) ?? longest
  return scaleLog([least, most], [height, 0]).clamp(true)
}
