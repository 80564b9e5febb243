/**
 * The functions of this file run in the page: each stands alone.
 * @returns the HTML of what is covered by something else while it has the focus
 */
export async function coveredStops(): Promise<readonly string[]> {
  // An open list covers what it likes: the key that goes on from it closes it.
  if (document.querySelector('select:open')) return []
  const before = document.activeElement
  const stops = document.querySelectorAll<HTMLElement>(
    'a[href], button, input:not([type=hidden]), select, summary, [data-summary]',
  )
  const isCovered = async (element: HTMLElement) => {
    element.focus()
    // What is tied to another element follows the scroll a frame later.
    if (document.querySelector(':popover-open')) await new Promise(requestAnimationFrame)
    // A link's widest line: others may lie between its lines.
    const [line] = [...element.getClientRects()].sort((a, b) => b.width - a.width)
    const { left, right, top, bottom } = line ?? element.getBoundingClientRect()
    const [from, to] = [Math.max(top, 0), Math.min(bottom, innerHeight)]
    const places = [
      [(left + right) / 2, (from + to) / 2],
      [left + 4, from + 4],
      [right - 4, to - 4],
    ] as const
    return places.some(([x, y]) => {
      const seen = document.elementFromPoint(x, y)
      return seen === null || !(element.contains(seen) || seen.contains(element))
    })
  }
  const covered: HTMLElement[] = []
  for (const element of stops) {
    const isStop = element.tabIndex >= 0 || element.matches('[data-summary]')
    if (!isStop || !element.checkVisibility({ visibilityProperty: true })) continue
    if (await isCovered(element)) covered.push(element)
  }
  if (before instanceof HTMLElement) before.focus()
  return covered.map((element) => element.outerHTML.slice(0, 160))
}

/** @returns the HTML of what is less than 24 pixels wide or high; links in a line of text may be (WCAG 2.5.8) */
export function tooSmallTargets(): readonly string[] {
  const targets = document.querySelectorAll<HTMLElement>(
    'button, input:not([type=hidden]), select, nav a, [data-summary] a',
  )
  return [...targets]
    .filter((element) => element.tabIndex >= 0)
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect()
      return Math.round(width) < 24 || Math.round(height) < 24
    })
    .map((element) => element.outerHTML.slice(0, 160))
}
