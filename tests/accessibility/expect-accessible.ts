import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { checkedByHand } from './checked-by-hand.ts'
import { runIbmEngine } from './ibm-engine.ts'

/**
 * Neither engine, axe-core nor IBM Equal Access, is sure of a fault on the page as it stands, in either colour scheme;
 * and what they ask a person to look at has been looked at.
 * @param screen what docs/accessibility.md calls it; its counts go into the test's report
 * @param part what is looked at, by its selector: of a form's further states only the form is new
 */
export async function expectAccessible(page: Page, screen: string, part = 'html') {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const axe = await runAxe(page, part)
    const ibm = await runIbmEngine(page, part)
    const faults = [...axe.failed, ...ibm.failed]
    const open = [...axe.toCheck, ...ibm.toCheck].filter(isNotChecked)
    expect({ faults, open }, `${screen}, ${colorScheme}`).toEqual({ faults: [], open: [] })
    const counts = [axe, ibm].flatMap(({ passed, toCheck }) => [passed, toCheck.length])
    test.info().annotations.push({
      type: 'accessibility',
      description: [screen, colorScheme, ...counts].join(' | '),
    })
  }
}

async function runAxe(page: Page, part: string) {
  // Legacy mode looks at the page itself; the other opens a second page for frames, and there are none.
  const { violations, incomplete, passes } = await new AxeBuilder({ page })
    .include(part)
    .setLegacyMode()
    .analyze()
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
