import type { Page } from '@playwright/test'
import { expectAccessible, expectAccessibleState } from './expect-accessible.ts'
import { expectFits } from './expect-fits.ts'
import { expectHeadingsOfCells } from './expect-headings-of-cells.ts'

/**
 * Expects that the current page passes both engines in both color schemes, that everything fits, that nothing focused
 * is covered, and that each table cell has its own heading.
 * @param screen the screen's name in the test's report
 * @param part selects the part that the engines check: for further states of a page, only this part is new
 */
export async function look(page: Page, screen: string, part = 'html') {
  await expectAccessible(page, screen, part)
  await expectFits(page, screen)
  await expectHeadingsOfCells(page, screen)
}

/** Like {@link look}, but only with axe-core: see {@link expectAccessibleState}. */
export async function lookAtState(page: Page, screen: string, part = 'html') {
  await expectAccessibleState(page, screen, part)
  await expectFits(page, screen)
  await expectHeadingsOfCells(page, screen)
}
