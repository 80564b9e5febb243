import type { Page } from '@playwright/test'

/** The message beside the form. It has no role of its own: the summary, which takes the focus, says the same. */
export const toast = (page: Page) => page.locator('[data-toast]')
