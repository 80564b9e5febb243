/** Section 9, "UI timings" (ruling 21). The stylesheet reads them from the page's root: see `uiConstantsCss`. */
export const toastLifeMs = 3000
export const typeAheadResetMs = 250
export const tooltipFadeMs = 250
export const listHeightPx = 200

/** Not used: it belongs to a scroller that measures its list anew. Our lists are the browser's own (decision 0104). */
export const scrollerResizeDelayMs = 10

/** What the stylesheets need of them. */
export const uiConstantsCss = `:root{--tooltip-fade:${tooltipFadeMs}ms;--list-height:${listHeightPx}px}`
