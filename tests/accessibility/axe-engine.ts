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

/** Whole: it fetches nothing when it runs. */
const engine = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * axe-core on the page as it stands: once a document it is put in. What is well is counted, and not told element by
 * element, which was most of what crossed over.
 * @param rules that alone are asked; all where there are none
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
          // Styles and media, for rules about turned screens, which we do not ask, and about sound, which no page has.
          preload: false,
          ...(rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } }),
        },
      )
      return report as Looked
    },
    { part, rules },
  )
}
