import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

/** What one rule says of one element: https://github.com/IBMa/equal-access, accessibility-checker-engine, README. */
interface RuleResult {
  readonly ruleId: string
  readonly reasonId: string
  readonly value: readonly [
    'VIOLATION' | 'RECOMMENDATION' | 'INFORMATION',
    'PASS' | 'FAIL' | 'POTENTIAL' | 'MANUAL',
  ]
  readonly snippet: string
  readonly message: string
}

declare global {
  interface Window {
    ace?: {
      Checker: new () => {
        check: (
          of: Element,
          rulesets: readonly string[],
        ) => Promise<{ results: readonly RuleResult[] }>
      }
    }
  }
}

/** Whole: it fetches nothing when it runs. */
const engine = readFileSync(
  createRequire(import.meta.url).resolve('accessibility-checker-engine/ace.js'),
  'utf8',
)

/** IBM Equal Access on the page as it stands: what WCAG 2.2 A and AA ask for, and what IBM recommends. */
export async function runIbmEngine(page: Page, part: string) {
  if (await page.evaluate(() => window.ace === undefined)) await page.evaluate(engine)
  const results = await page.evaluate(async (selector) => {
    if (window.ace === undefined) throw new Error('the engine did not start')
    const element = document.querySelector(selector)
    if (element === null) throw new Error(`there is no ${selector}`)
    const { results } = await new window.ace.Checker().check(element, ['WCAG_2_2'])
    return results.map(({ ruleId, reasonId, value, snippet, message }) => ({
      rule: `IBM ${ruleId} ${reasonId}`,
      outcome: value[1],
      message,
      html: snippet,
    }))
  }, part)
  const having = (...outcomes: readonly string[]) =>
    results.filter(({ outcome }) => outcomes.includes(outcome))
  return {
    /** What it is sure of. */
    failed: having('FAIL'),
    /** What it asks a person to look at. */
    toCheck: having('POTENTIAL', 'MANUAL'),
    passed: having('PASS').length,
  }
}
