import type { Browser } from '@playwright/test'
import type { RunningProduct } from '../tests/product/start-process.ts'
import type { Figure } from './figure.ts'

/** What a benchmark works with: a built product and a browser of the run's own. */
export interface Workshop {
  readonly product: RunningProduct
  readonly browser: Browser
  /** Chromium without a window. */
  readonly headlessShellPath: string
  /** A folder that the run removes at its end. */
  readonly folder: string
  /** How often a benchmark repeats a timed measurement; the median counts. */
  readonly runs: number
  /** Registers something to end after the benchmark, also if the run is stopped. The last one ends first. */
  readonly atEnd: (end: () => Promise<unknown>) => void
}

/** The figures of one subject. */
export interface Bench {
  readonly name: string
  readonly title: string
  readonly measure: (workshop: Workshop) => Promise<readonly Figure[]>
}
