import { expect, type Page, test } from '@playwright/test'
import { runAxe } from './axe-engine.ts'
import { checkedByHand } from './checked-by-hand.ts'
import { runIbmEngine } from './ibm-engine.ts'
import type { Looked } from './looked.ts'

/**
 * Expects no certain fault from axe-core or IBM Equal Access on the current page, and no unanswered question. In the
 * dark scheme only axe's color rules run, because nothing else differs (dark-scheme.test.ts).
 * @param screen the screen's name in the test's report, which shows its counts
 * @param part selects the part to check: for a form's further states, only the form is new
 */
export async function expectAccessible(page: Page, screen: string, part = 'html') {
  await page.emulateMedia({ colorScheme: 'light' })
  expectFaultless([await runAxe(page, part), await runIbmEngine(page, part)], screen)
  await expectColors(page, screen, part)
}

/**
 * Like {@link expectAccessible}, but only with axe-core: for a state of a page whose other states
 * looks-at-every-page.journey.ts shows to both engines.
 */
export async function expectAccessibleState(page: Page, screen: string, part = 'html') {
  await page.emulateMedia({ colorScheme: 'light' })
  expectFaultless([await runAxe(page, part)], screen)
  await expectColors(page, screen, part)
}

async function expectColors(page: Page, screen: string, part: string) {
  await page.emulateMedia({ colorScheme: 'dark' })
  expectFaultless([await runAxe(page, part, colorRules)], `${screen}, dark`)
}

/** axe's color rules of WCAG's levels A and AA. */
const colorRules = ['color-contrast', 'link-in-text-block']

function expectFaultless(looks: readonly Looked[], screen: string) {
  const faults = looks.flatMap(({ failed }) => failed)
  const open = looks.flatMap(({ toCheck }) => toCheck).filter(isNotChecked)
  expect({ faults, open }, screen).toEqual({ faults: [], open: [] })
  const counts = looks.flatMap(({ passed, toCheck }) => [passed, toCheck.length])
  test
    .info()
    .annotations.push({ type: 'accessibility', description: [screen, ...counts].join(' | ') })
}

const isNotChecked = (finding: Looked['toCheck'][number]) =>
  !checkedByHand.some(
    ({ rule, on, within }) =>
      rule === finding.rule &&
      on.test(finding.html) &&
      (within === undefined || within.test(finding.path ?? '')),
  )
