import type { Page } from '@playwright/test'
import { expectAccessible } from './expect-accessible.ts'
import { expectFits } from './expect-fits.ts'
import { expectHeadingsOfCells } from './expect-headings-of-cells.ts'

/**
 * No engine finds anything on the page as it stands, in either scheme; everything fits, nothing is covered, and each cell of
 * a table has its own heading.
 * @param screen what docs/accessibility.md calls it
 * @param part what the engines look at, by its selector: of a form's further states only the form is new
 */
export async function look(page: Page, screen: string, part = 'html') {
  await expectAccessible(page, screen, part)
  await expectFits(page, screen)
  await expectHeadingsOfCells(page, screen)
}
