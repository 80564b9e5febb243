import { scaleBand, scaleLinear } from 'd3-scale'
import { Children, type ReactNode } from 'react'
import { useShell } from '#console/shell/shell.tsx'
import { toUrlName } from '#console/shell/sortable-table.tsx'
import { formatCompact } from '#domain/text/formats.ts'
import styles from './chart.module.css'

interface ChartFigureProps {
  name: string
  /** The measure's value over the whole range. */
  value?: ReactNode
  /** Says in a sentence what the chart shows, also for people who don't see it. */
  summary: ReactNode
  children?: ReactNode
}

/** Shows a chart below its name, value and summary. The chart itself is hidden from screen readers, which read a table. */
export const ChartFigure = ({ name, value, summary, children }: ChartFigureProps) => (
  <figure className={styles.chart} aria-label={name}>
    <figcaption>
      {name} {value !== undefined && <strong>{value}</strong>}
      <span className={styles.summary}>{summary}</span>
    </figcaption>
    {children}
  </figure>
)

/** Hides a chart's table until the operator opens it, or sorts it. @param name the table's name */
export function ChartTable({ name, children }: { name: string; children: ReactNode }) {
  const sort = new URLSearchParams(useShell().query).get('sort')
  const isSorted = sort?.startsWith(`${toUrlName(name)}.`) === true
  return (
    <details className={styles.table} open={isSorted || undefined}>
      <summary>{name}</summary>
      {children}
    </details>
  )
}

/** A chart's width and height in SVG units. CSS stretches the chart to the available space. */
export const plotWidth = 1000
export const plotHeight = 100

interface PlotProps {
  ticks: readonly number[]
  y: (value: number) => number
  format?: (value: number) => string
  /** Labels below the plot, from its start to its end. */
  axis: readonly ReactNode[]
  /** What SVG draws in `plotWidth` by `plotHeight` units. */
  children: ReactNode
}

/** Draws lines or bars above a grid. The labels are not in the stretched SVG, so that they keep their shape and size. */
export const Plot = ({ ticks, y, format = formatCompact, axis, children }: PlotProps) => (
  <>
    <div className={styles.plot}>
      <svg className={styles.labels} aria-hidden="true">
        {ticks.map((tick) => (
          <text key={tick} x="100%" y={`${roundToTenth(y(tick))}%`} dy="0.35em">
            {format(tick)}
          </text>
        ))}
      </svg>
      <svg viewBox={`0 0 ${plotWidth} ${plotHeight}`} preserveAspectRatio="none" aria-hidden="true">
        {ticks.map((tick) => (
          <line
            key={tick}
            className={tick === 0 ? styles.zero : styles.grid}
            x1={0}
            x2={plotWidth}
            y1={roundToTenth(y(tick))}
            y2={roundToTenth(y(tick))}
          />
        ))}
        {children}
      </svg>
    </div>
    <p className={styles.axis} aria-hidden="true">
      {Children.map(axis, (label) => (
        <span>{label}</span>
      ))}
    </p>
  </>
)

interface BarPlotProps extends Pick<PlotProps, 'axis'> {
  bars: readonly {
    readonly key: number
    readonly title: string
    /** The numbers that the bar stacks from the bottom up, each with the class of its part. */
    readonly parts: readonly (readonly [count: number, className: string | undefined])[]
  }[]
}

/** Draws a bar for each entry, and says its numbers when the pointer is over it. */
export function BarPlot({ bars, axis }: BarPlotProps) {
  const sizes = bars.map(({ parts }) => parts.reduce((sum, [count]) => sum + count, 0))
  const y = scaleLinear([0, Math.max(1, ...sizes)], [plotHeight, 0]).nice(4)
  const x = scaleBand(
    bars.map(({ key }) => key),
    [0, plotWidth],
  ).paddingInner(0.2)
  return (
    <Plot ticks={y.ticks(4).filter(Number.isInteger)} y={y} axis={axis}>
      {bars.map(({ key, title, parts }) => {
        let below = 0
        return (
          <g key={key}>
            <title>{title}</title>
            {parts.map(([count, className]) => {
              const bottom = y(below)
              below += count
              return (
                <rect
                  key={className}
                  className={className}
                  x={roundToTenth(x(key) ?? 0)}
                  y={roundToTenth(y(below))}
                  width={roundToTenth(x.bandwidth())}
                  height={roundToTenth(bottom - y(below))}
                />
              )
            })}
          </g>
        )
      })}
    </Plot>
  )
}

export const roundToTenth = (value: number): number => Math.round(value * 10) / 10
