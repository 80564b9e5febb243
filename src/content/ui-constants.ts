/** Section 9, "UI timings" (ruling 21). The stylesheet reads them from the page's root: see `uiConstantsCss`. */
export const toastLifeMs = 3000
export const typeAheadResetMs = 250
export const tooltipFadeMs = 250
export const listHeightPx = 200

/**
 * Unused: it belongs to a scroller that measures its list again. Our lists are the browser's own,
 * which it lays out itself.
 */
export const scrollerResizeDelayMs = 10

/**
 * How long a visitor waits for an answer; after that the form says so and can be tried again. Ours, like nothing above it:
 * a call of the server's own to a third party has ended long before.
 */
export const answerLimitMs = 15_000

/** The constants that the stylesheets need. */
export const uiConstantsCss = `:root{--tooltip-fade:${tooltipFadeMs}ms;--list-height:${listHeightPx}px}`
