import { morph } from './morph.ts'

/** What a list would show beside what it shows. */
export interface ListNews {
  /** Rows that have come to it. */
  readonly added: number
  /** Rows that it shows and that are in it no more. */
  readonly gone: number
}

/**
 * Each row as it stands now, in its place: what comes or goes would move the others under the pointer, and is counted. Both
 * are in the list's own order.
 */
export function updateList(shown: Element, fresh: Element): ListNews {
  const [rows, freshRows] = [keyed(shown), keyed(fresh)]
  if (rows.size === 0) {
    morph(shown, fresh)
    return { added: 0, gone: 0 }
  }
  const keys = [...rows.keys()]
  const freshKeys = [...freshRows.keys()]
  // What has been pushed over the end of the page is still in the list, as is what comes in at its end for what has gone.
  const lastShown = keys.findLastIndex((key) => freshRows.has(key))
  const lastFresh = freshKeys.findLastIndex((key) => rows.has(key))
  for (const [index, key] of keys.entries()) {
    const row = rows.get(key)
    const now = freshRows.get(key)
    if (row !== undefined && now !== undefined) morph(row, now)
    row?.toggleAttribute('data-gone', now === undefined && index < lastShown)
  }
  const gone = keys.slice(0, lastShown).filter((key) => !freshRows.has(key)).length
  const isGrown = lastFresh < 0 || freshKeys.length > keys.length
  const added = freshKeys
    .slice(0, isGrown ? undefined : lastFresh)
    .filter((key) => !rows.has(key)).length
  return { added, gone }
}

const keyed = (list: Element): ReadonlyMap<string, Element> =>
  new Map(
    [...list.querySelectorAll('tr[data-key]')].map((row) => [
      row.getAttribute('data-key') ?? '',
      row,
    ]),
  )
