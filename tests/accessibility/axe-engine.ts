import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type Axe from 'axe-core'
import type { Looked } from './looked.ts'

declare global {
  interface Window {
    axe?: typeof Axe
  }
}

/** The complete script of axe-core, which loads nothing else when it runs. */
const engine = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Runs axe-core on the current page, and loads it into each document once. Of the passed checks, it returns only the
 * number, because their details were most of the data.
 * @param rules the only rules to run; all rules if undefined
 */
export async function runAxe(page: Page, part: string, rules?: string[]): Promise<Looked> {
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(engine)
  return await page.evaluate(
    async ({ part, rules }) => {
      const { axe } = window
      if (axe === undefined) throw new Error('the engine did not start')
      axe.addReporter<Looked>('counted', (results, _, report) => {
        const findings = (of: 'violations' | 'incomplete') =>
          results.flatMap((result) =>
            result[of].map(({ node }) => ({ rule: `axe ${result.id}`, html: node.source })),
          )
        report({
          failed: findings('violations'),
          toCheck: findings('incomplete'),
          passed: results.reduce((sum, { passes }) => sum + passes.length, 0),
        })
      })
      const report: unknown = await axe.run(
        { include: [part], exclude: [] },
        {
          reporter: 'counted',
          // The styles and media would only serve rules about rotated screens, which do not run, and about sound, which
          // no page has.
          preload: false,
          ...(rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } }),
        },
      )
      return report as Looked
    },
    { part, rules },
  )
}
