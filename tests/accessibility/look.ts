import type { Page } from '@playwright/test'
import { expectAccessible } from './expect-accessible.ts'
import { expectFits } from './expect-fits.ts'

/**
 * No engine finds anything on the page as it stands, in either scheme; everything fits, and nothing is covered.
 * @param screen what docs/accessibility.md calls it
 * @param part what the engines look at, by its selector: of a form's further states only the form is new
 */
export async function look(page: Page, screen: string, part = 'html') {
  await expectAccessible(page, screen, part)
  await expectFits(page, screen)
}
