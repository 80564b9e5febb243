import { playwrightCounts, type TestCounts, vitestCounts } from './summary.ts'

export interface Check {
  readonly name: string
  readonly heading: string
  /** Program of the tool, below node_modules. */
  readonly tool: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Where the tool writes what it ran, and how to read that. Without it the check counts as one test. */
  readonly report?: {
    readonly file: string
    readonly read: (report: unknown) => TestCounts
  }
}

const reports = 'node_modules/.cache/test-reports'
const playwrightReport = `${reports}/journeys.json`

function vitest(name: string, heading: string, ...projects: readonly string[]): Check {
  const file = `${reports}/${name}.json`
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  return {
    name,
    heading,
    tool: 'vitest/vitest.mjs',
    args: ['run', ...projects.map((project) => `--project=${project}`), ...reporters],
    report: { file, read: vitestCounts },
  }
}

/**
 * Two of them run at a time, in this order (run-checks.ts): cheap ones first, so that a slip shows early, and last the one
 * that leaves no core idle when it is alone.
 */
export const checks: readonly Check[] = [
  { name: 'types', heading: 'Types', tool: 'typescript/bin/tsc', args: ['-b'] },
  { name: 'lint', heading: 'Lint and format', tool: '@biomejs/biome/bin/biome', args: ['check'] },
  vitest('unit', 'Unit tests', 'unit'),
  vitest('faults', 'Fault tests', 'faults'),
  {
    name: 'journeys',
    heading: 'Browser journeys',
    tool: '@playwright/test/cli.js',
    args: ['test', '--reporter=list,json', '--fail-on-flaky-tests'],
    // Its workers set FORCE_COLOR themselves, and Node warns where NO_COLOR is set too.
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport, NO_COLOR: undefined },
    report: { file: playwrightReport, read: playwrightCounts },
  },
  // All but the two others: a project added later cannot be forgotten here.
  vitest('integration', 'Integration tests', '!unit', '!faults'),
]
