import type { Browser } from '@playwright/test'
import type { RunningProduct } from '../tests/product/start-process.ts'
import type { Figure } from './figure.ts'

/** What a bench works with: one built product, one browser, both its own. */
export interface Workshop {
  readonly product: RunningProduct
  readonly browser: Browser
  /** Chromium without the desktop's window. */
  readonly headlessShellPath: string
  /** Removed at the end. */
  readonly folder: string
  /** How often a timed thing is measured; the median counts. */
  readonly runs: number
  /** What a bench has started for itself is ended after it, the last first, also where the run is stopped. */
  readonly atEnd: (end: () => Promise<unknown>) => void
}

/** One theme's figures. */
export interface Bench {
  readonly name: string
  readonly title: string
  readonly measure: (workshop: Workshop) => Promise<readonly Figure[]>
}
