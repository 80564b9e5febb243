export interface TestCounts {
  readonly passed: number
  readonly failed: number
  /** Tests that were skipped or are marked as to do. */
  readonly notRun: number
  /** The failed tests and what they printed, one text each. */
  readonly failures?: readonly string[] | undefined
}

/** @param report the output of Vitest's `json` reporter */
export function readVitestCounts(report: unknown): TestCounts {
  const { testResults, ...counts } = report as {
    numPassedTests: number
    numFailedTests: number
    numPendingTests: number
    numTodoTests: number
    testResults: readonly {
      name: string
      message: string
      assertionResults: readonly { status: string; fullName: string; failureMessages: string[] }[]
    }[]
  }
  const failures = testResults.flatMap(({ name, message, assertionResults }) => [
    // The message of a file that couldn't run; its tests have none.
    ...(message ? [`${name}\n${message}`] : []),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${name} › ${fullName}\n${failureMessages[0]}`),
  ])
  return {
    passed: counts.numPassedTests,
    failed: counts.numFailedTests,
    notRun: counts.numPendingTests + counts.numTodoTests,
    failures,
  }
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs: readonly {
    readonly ok: boolean
    readonly file: string
    readonly title: string
    readonly tests: readonly {
      readonly results: readonly { readonly error?: { readonly message?: string } }[]
    }[]
  }[]
}

/** @param report the output of Playwright's `json` reporter; a test that passed on a second try counts as failed */
export function readPlaywrightCounts(report: unknown): TestCounts {
  const { stats, suites } = report as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number }
    suites: readonly PlaywrightSuite[]
  }
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    notRun: stats.skipped,
    failures: suites.flatMap(readFailures),
  }
}

function readFailures({ suites = [], specs }: PlaywrightSuite): readonly string[] {
  const own = specs.flatMap(({ ok, file, title, tests }) => {
    const error = tests.flatMap(({ results }) => results).find((result) => result.error)?.error
    return ok && !error ? [] : `${file} › ${title}\n${error?.message ?? ''}`
  })
  return [...own, ...suites.flatMap(readFailures)]
}

export interface Verdict {
  readonly passed: number
  readonly failed: number
  /** Why the check failed, if its failed tests do not say so, or why it ran no test. */
  readonly reason?: string
  readonly failures?: readonly string[] | undefined
}

/**
 * Decides whether a check passed once its tool has ended. A check that failed as a whole counts as one failure, so that
 * the sum never shows `0 failed` beside a failed check.
 * @param exitCode the tool's exit code; null if a signal ended it
 * @param counts undefined for a tool that writes no report
 * @param mayBeEmpty whether the check passes even if no test ran
 */
export function judgeCheck(
  exitCode: number | null,
  counts: TestCounts | undefined,
  mayBeEmpty = false,
): Verdict {
  if (counts === undefined) {
    return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
  }
  const { passed, failed, notRun, failures } = counts
  if (failed > 0) return { passed, failed, failures }
  if (notRun > 0) return { passed, failed: 1, reason: `skipped: ${notRun}` }
  if (passed === 0 && !mayBeEmpty) return { passed, failed: 1, reason: 'no test ran' }
  if (exitCode !== 0)
    return { passed, failed: 1, reason: `its tool ended with ${exitCode}`, failures }
  return passed === 0 ? { passed, failed: 0, reason: 'no test to run' } : { passed, failed: 0 }
}

export interface Result extends Verdict {
  readonly name: string
  readonly seconds: number
}

/** The most lines of a failed test's message in the summary; the whole stands where the test ran. */
const LINES_OF_FAILURE = 12

/**
 * Formats the results as a table, with the sum as its last line, which other programs may read. Failed tests come first,
 * because somebody who looks at the end of a long log should find them there.
 * @param seconds the time of all checks together, which run side by side
 */
export function formatSummary(
  results: readonly Result[],
  notRun: readonly string[],
  seconds: number,
): string {
  const rows = results.map(({ name, passed, failed, seconds, reason }) => {
    const figures = `${alignRight(passed, 6)} passed ${alignRight(failed, 6)} failed ${alignRight(seconds.toFixed(1), 8)} s`
    return `${name.padEnd(12)}${failed > 0 ? 'FAILED' : 'ok    '}${figures}${reason ? `  ${reason}` : ''}`
  })
  const missing = notRun.map((name) => `${name.padEnd(12)}NOT RUN`)
  const sum = (of: 'passed' | 'failed') => results.reduce((total, result) => total + result[of], 0)
  // A requested check that did not run counts as failed.
  const failed = sum('failed') + notRun.length
  const all = `${'all'.padEnd(12)}${alignRight(seconds.toFixed(1), 42)} s`
  const failures = results.flatMap((result) => (result.failures ?? []).map(shortenFailure))
  return [
    ...failures,
    ...rows,
    ...missing,
    all,
    '',
    `${sum('passed')} passed, ${failed} failed`,
  ].join('\n')
}

function shortenFailure(failure: string): string {
  return `${failure.trim().split('\n').slice(0, LINES_OF_FAILURE).join('\n')}\n`
}

function alignRight(value: number | string, width: number): string {
  return String(value).padStart(width)
}

export interface Check {
  readonly name: string
  /** The tool's program, below node_modules. */
  readonly tool: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The tool's report file, and how to read it. Without a report, the check counts as one test. */
  readonly report?: {
    readonly file: string
    readonly read: (report: unknown) => TestCounts
  }
  /** The check that must have ended before this one starts, because both would wait for the processor. */
  readonly after?: string
  /** Whether no test may run, because a change affects none. */
  readonly mayBeEmpty?: boolean
  /** How `--changed` selects the check's tests; it runs all of them if undefined. */
  readonly byImports?: ByImports
}

/**
 * Tests can be selected by what they import, directly or not, unless a changed file reaches them in another way.
 * `source` says how they reach the product's source: they import it, or they start the built product or read the source
 * as text.
 */
interface ByImports {
  readonly option: string
  readonly source: 'imported' | 'built or read'
}

const reports = 'node_modules/.cache/test-reports'
const playwrightReport = `${reports}/journeys.json`

/** @param args Vitest's options and the folders of tests */
function vitest(name: string, ...args: readonly string[]): Check {
  const file = `${reports}/${name}.json`
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  return {
    name,
    tool: 'vitest/vitest.mjs',
    args: ['run', ...args, ...reporters],
    report: { file, read: readVitestCounts },
  }
}

/** Every Vitest project except these, so that no new project is forgotten. */
const others = ['--project=!unit', '--project=!tools', '--project=!faults']
const built = { option: '--changed', source: 'built or read' } as const

/**
 * The checks in the order in which test.ts starts them: short ones first, so that a mistake shows early, then the
 * longest, so that all end at about the same time; last the tests of tools, which nobody's change breaks by the way.
 */
export const checks: readonly Check[] = [
  { name: 'types', tool: 'typescript/bin/tsc', args: ['-b'] },
  { name: 'lint', tool: '@biomejs/biome/bin/biome', args: ['check'] },
  // Tests in this check read sources, texts and documents that they don't import, so that `--changed` runs all.
  vitest('unit', '--project=unit'),
  {
    name: 'journeys',
    tool: '@playwright/test/cli.js',
    args: ['test', '--reporter=list,json', '--fail-on-flaky-tests'],
    // Playwright's workers set FORCE_COLOR themselves, and Node warns if NO_COLOR is set as well.
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport, NO_COLOR: undefined },
    report: { file: playwrightReport, read: readPlaywrightCounts },
    byImports: { option: '--only-changed', source: 'built or read' },
  },
  {
    ...vitest('integration', ...others, 'src/'),
    byImports: { option: '--changed', source: 'imported' },
  },
  { ...vitest('product', ...others, 'tests/'), byImports: built },
  { ...vitest('faults', '--project=faults'), after: 'product', byImports: built },
  { ...vitest('tools', '--project=tools'), after: 'unit', byImports: built },
]

/**
 * Limits a check to what changed files can affect.
 * @param since the Git revision with which `changed` was compared
 * @param changed paths in the repository, those of untracked files too
 */
export function limitToChanges(check: Check, since: string, changed: readonly string[]): Check {
  const { byImports } = check
  if (byImports === undefined || changed.some((path) => reaches(path, byImports))) return check
  const emptyOption = check.name === 'journeys' ? '--pass-with-no-tests' : '--passWithNoTests'
  return {
    ...check,
    args: [...check.args, `${byImports.option}=${since}`, emptyOption],
    mayBeEmpty: true,
  }
}

const isTest = (path: string): boolean => path.startsWith('tests/') || /\.test\.tsx?$/.test(path)
const isSource = (path: string): boolean => /^src\/.*\.tsx?$/.test(path)

/** Whether a changed file can affect a check's tests other than by their imports. */
function reaches(path: string, { source }: ByImports): boolean {
  if (isTest(path)) return !/\.tsx?$/.test(path)
  return isSource(path) ? source !== 'imported' : !isUnrelated(path, source)
}

/** A test runs the documents' commands on the built product, so documents are related to those tests. */
const isUnrelated = (path: string, source: ByImports['source']): boolean =>
  path.startsWith('bench/') || (source === 'imported' && path.endsWith('.md'))
