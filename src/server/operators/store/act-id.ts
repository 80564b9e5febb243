import { randomUUIDv7 } from 'node:crypto'

let latestAt = 0
let sameTime = 0

/** Of a UUIDv7: the time, and a counter for those of one millisecond (RFC 9562, 6.2, method 1). */
const mostAtOnce = 0xfff

/** An act's id begins with its time: a day of the audit is a range of ids, and what is later done stands later. */
export function actId(at: number): string {
  sameTime = at === latestAt ? Math.min(sameTime + 1, mostAtOnce) : 0
  latestAt = at
  const counter = sameTime.toString(16).padStart(3, '0')
  return `${beginsAt(at)}-7${counter}${randomUUIDv7().slice('xxxxxxxx-xxxx-7xxx'.length)}`
}

/** What the ids of that time and later ones do not come before. */
export function beginsAt(at: number): string {
  const time = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}
