import { legalPaths } from '#content/legal/legal-paths.ts'
import { areaPath, areas } from '#domain/area.ts'

const pages: readonly string[] = [...areas.map(areaPath), ...legalPaths]

/**
 * Whether a link of the operator's leads somewhere: to a page of ours, to a place on this one, or out, over https or by
 * mail. A script's address does not.
 * @param anchors the places of the page that it stands on
 */
export function isKnownLink(href: string, anchors: readonly string[] = []): boolean {
  if (href.startsWith('#')) return anchors.includes(href.slice(1))
  if (href.startsWith('/') && !href.startsWith('//'))
    return pages.includes(href.split('#')[0] ?? '')
  if (/^mailto:[^\s@]+@[^\s@]+$/.test(href)) return true
  return URL.canParse(href) && new URL(href).protocol === 'https:'
}
