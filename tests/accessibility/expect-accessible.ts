import { expect, type Page, test } from '@playwright/test'
import { runAxe } from './axe-engine.ts'
import { checkedByHand } from './checked-by-hand.ts'
import { runIbmEngine } from './ibm-engine.ts'
import type { Looked } from './looked.ts'

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
