import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { checkedByHand } from './checked-by-hand.ts'
import { runIbmEngine } from './ibm-engine.ts'

/**
 * Neither engine, axe-core nor IBM Equal Access, is sure of a fault on the page as it stands; axe of none about its colors
 * in the dark scheme either, where nothing else differs (dark-scheme.test.ts). What they ask a person to look at has been
 * looked at.
 * @param screen what docs/accessibility.md calls it; its counts go into the test's report
 * @param part what is looked at, by its selector: of a form's further states only the form is new
 */
export async function expectAccessible(page: Page, screen: string, part = 'html') {
  await page.emulateMedia({ colorScheme: 'light' })
  expectFaultless([await runAxe(page, part), await runIbmEngine(page, part)], screen)
  await page.emulateMedia({ colorScheme: 'dark' })
  expectFaultless([await runAxe(page, part, colorRules)], `${screen}, dark`)
}

/** Of axe's: those that look at colors, of WCAG's levels A and AA. */
const colorRules = ['color-contrast', 'link-in-text-block']

interface Looked {
  readonly failed: readonly unknown[]
  readonly toCheck: readonly { readonly rule: string; readonly html: string }[]
  readonly passed: number
}

function expectFaultless(looks: readonly Looked[], screen: string) {
  const faults = looks.flatMap(({ failed }) => failed)
  const open = looks.flatMap(({ toCheck }) => toCheck).filter(isNotChecked)
  expect({ faults, open }, screen).toEqual({ faults: [], open: [] })
  const counts = looks.flatMap(({ passed, toCheck }) => [passed, toCheck.length])
  test
    .info()
    .annotations.push({ type: 'accessibility', description: [screen, ...counts].join(' | ') })
}

/** @param rules that alone are asked; all where there are none */
async function runAxe(page: Page, part: string, rules: string[] = []) {
  // Legacy mode looks at the page itself; the other opens a second page for frames, and there are none.
  const axe = new AxeBuilder({ page }).include(part).setLegacyMode()
  const { violations, incomplete, passes } = await (rules.length > 0
    ? axe.withRules(rules)
    : axe
  ).analyze()
  const findings = (of: typeof violations) =>
    of.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ rule: `axe ${id}`, html })))
  return {
    failed: findings(violations),
    toCheck: findings(incomplete),
    passed: passes.reduce((sum, { nodes }) => sum + nodes.length, 0),
  }
}

const isNotChecked = (finding: { rule: string; html: string }) =>
  !checkedByHand.some(({ rule, on }) => rule === finding.rule && on.test(finding.html))
