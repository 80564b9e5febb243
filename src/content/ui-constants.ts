/** The UI timings of section 9 (reading 21). Stylesheets read the timings from the root element: see `uiConstantsCss`. */
export const toastDurationMs = 3000
export const typeAheadResetMs = 250
export const tooltipFadeMs = 250
export const listHeightPx = 200

/** Nothing uses this delay of section 9: it is meant for lists that a script scrolls, but browsers scroll our native lists. */
export const scrollerResizeDelayMs = 10

/** How long after a letter the Space key still belongs to the name that a visitor types into a list; this limit is ours. */
export const spaceInNameMs = 1500

/** How long a visitor waits before the form reports a failure: longer than our server waits for a third party. */
export const requestTimeoutMs = 15_000

export const uiConstantsCss = `:root{--tooltip-fade:${tooltipFadeMs}ms;--list-height:${listHeightPx}px}`
