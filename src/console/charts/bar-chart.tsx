import { scaleBand, scaleLinear } from 'd3-scale'
import { Chart, type ChartProps, height, width } from './chart.tsx'
import styles from './charts.module.css'

interface BarChartProps extends ChartProps {
  /** In the order of time. */
  values: readonly number[]
  /** What it draws, for the eye that looks for what failed; its name says it, too. */
  kind: 'well' | 'problem' | 'note'
}

export function BarChart({ values, kind, ...chart }: BarChartProps) {
  const indexes = values.map((_, index) => index)
  const x = scaleBand(indexes, [0, width]).paddingInner(0.25)
  const y = scaleLinear([0, Math.max(1, ...values)], [height, 0]).nice(2)
  const [, most = 1] = y.domain()
  return (
    <Chart {...chart} edges={[most.toLocaleString('en-US'), '0']}>
      {indexes
        .filter((index) => values[index] !== 0)
        .map((index) => {
          const top = y(values[index] ?? 0)
          return (
            <rect
              key={index}
              className={styles[kind]}
              x={x(index)}
              y={round(top)}
              width={round(x.bandwidth())}
              height={round(height - top)}
            />
          )
        })}
    </Chart>
  )
}

const round = (value: number): number => Math.round(value * 10) / 10
