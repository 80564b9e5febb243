import { randomUUIDv7 } from 'node:crypto'

let latestAt = 0
let idsAtLatest = 0
/** The largest counter of a UUIDv7 (RFC 9562, 6.2, method 1). */
const maxCounter = 0xfff

/**
 * Makes a UUIDv7 of a time, in epoch milliseconds. Node's own function would take the machine's time, which may differ
 * from the database's. The ids of one process sort by time, so the rows of a period have a range of ids.
 */
export function makeIdAt(at: number): string {
  idsAtLatest = at === latestAt ? Math.min(idsAtLatest + 1, maxCounter) : 0
  latestAt = at
  const counter = idsAtLatest.toString(16).padStart(3, '0')
  return `${makeIdPrefix(at)}-7${counter}${randomUUIDv7().slice('xxxxxxxx-xxxx-7xxx'.length)}`
}

/** Returns the prefix of an id that sorts before all ids of this time and of later times. */
export function makeIdPrefix(at: number): string {
  const time = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}
