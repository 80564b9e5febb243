export interface Fit {
  /** How many pixels the page is wider than its window. */
  readonly tooWide: number
  /** The HTML of focused elements that another element covers. */
  readonly covered: readonly string[]
  /** The HTML of targets less than 24 pixels wide or high, except for links within a line of text (WCAG 2.5.8). */
  readonly tooSmall: readonly string[]
}

/**
 * Measures how a page fits. The function runs in the page, so it uses nothing from this module. It does everything in
 * one call, because a call costs more than its work.
 * @param styles added to the page's own while it is measured; the page's security policy would block an element
 */
export async function howItFits(styles: string): Promise<Fit> {
  const nextFrame = () => new Promise(requestAnimationFrame)
  const isShown = (element: HTMLElement) => element.checkVisibility({ visibilityProperty: true })
  const html = (elements: readonly HTMLElement[]) =>
    elements.map((element) => element.outerHTML.slice(0, 160))

  const isCovered = async (element: HTMLElement) => {
    const { x, y } = element.getBoundingClientRect()
    element.focus()
    const now = element.getBoundingClientRect()
    // An anchored element follows the scroll a frame later.
    const hasScrolled = now.x !== x || now.y !== y
    if (hasScrolled && document.querySelector(':popover-open')) await nextFrame()
    // Only a link's widest line is measured, because other elements may be between its lines.
    const [line] = [...element.getClientRects()].sort((a, b) => b.width - a.width)
    const { left, right, top, bottom } = line ?? element.getBoundingClientRect()
    const [from, to] = [Math.max(top, 0), Math.min(bottom, innerHeight)]
    // The corners of a round element do not belong to it.
    const corner = Math.max(4, 0.2 * Math.min(right - left, bottom - top))
    const places = [
      [(left + right) / 2, (from + to) / 2],
      [left + corner, from + corner],
      [right - corner, to - corner],
    ] as const
    return places.some(([x, y]) => {
      const seen = document.elementFromPoint(x, y)
      return seen === null || !(element.contains(seen) || seen.contains(element))
    })
  }

  const coveredStops = async () => {
    // An open list may cover anything, because the key that moves on closes it.
    if (document.querySelector('select:open')) return []
    if (document.querySelector(':popover-open')) await nextFrame()
    const before = document.activeElement
    const stops = document.querySelectorAll<HTMLElement>(
      'a[href], button, input:not([type=hidden]), select, summary, [data-summary]',
    )
    const covered: HTMLElement[] = []
    for (const element of stops) {
      const isStop = element.tabIndex >= 0 || element.matches('[data-summary]')
      if (isStop && isShown(element) && (await isCovered(element))) covered.push(element)
    }
    if (before instanceof HTMLElement) before.focus()
    return covered
  }

  const tooSmallTargets = () => {
    const targets = document.querySelectorAll<HTMLElement>(
      'button, input:not([type=hidden]), select, nav a, [data-summary] a',
    )
    return [...targets]
      .filter((element) => element.tabIndex >= 0 && isShown(element))
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect()
        return Math.round(width) < 24 || Math.round(height) < 24
      })
  }

  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets = styles === '' ? [] : [sheet]
  const { scrollWidth, clientWidth } = document.documentElement
  const fit = {
    tooWide: Math.max(0, scrollWidth - clientWidth),
    covered: html(await coveredStops()),
    tooSmall: html(tooSmallTargets()),
  }
  document.adoptedStyleSheets = []
  return fit
}
