import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { Looked } from './looked.ts'

/** A rule's result for an element: https://github.com/IBMa/equal-access, accessibility-checker-engine, README. */
interface RuleResult {
  readonly ruleId: string
  readonly reasonId: string
  readonly value: readonly [
    'VIOLATION' | 'RECOMMENDATION' | 'INFORMATION',
    'PASS' | 'FAIL' | 'POTENTIAL' | 'MANUAL',
  ]
  readonly snippet: string
  readonly path: { readonly dom: string }
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

/** The complete script of IBM's engine, which loads nothing else when it runs. */
const engine = readFileSync(
  createRequire(import.meta.url).resolve('accessibility-checker-engine/ace.js'),
  'utf8',
)

/** Runs IBM Equal Access on the current page: the rules of WCAG 2.2 A and AA, and IBM's recommendations. */
export async function runIbmEngine(page: Page, part: string): Promise<Looked> {
  if (await page.evaluate(() => window.ace === undefined)) await page.evaluate(engine)
  return await page.evaluate(async (selector) => {
    if (window.ace === undefined) throw new Error('the engine did not start')
    const element = document.querySelector(selector)
    if (element === null) throw new Error(`there is no ${selector}`)
    const { results } = await new window.ace.Checker().check(element, ['WCAG_2_2'])
    const having = (...outcomes: readonly RuleResult['value'][1][]) =>
      results.filter(({ value }) => outcomes.includes(value[1]))
    const findings = (of: readonly RuleResult[]) =>
      of.map(({ ruleId, reasonId, message, snippet, path }) => ({
        rule: `IBM ${ruleId} ${reasonId}`,
        message,
        html: snippet,
        path: path.dom,
      }))
    return {
      failed: findings(having('FAIL')),
      toCheck: findings(having('POTENTIAL', 'MANUAL')),
      passed: having('PASS').length,
    }
  }, part)
}
