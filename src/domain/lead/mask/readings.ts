import {
  cutEscape,
  escaped,
  mostTimes,
  ofMail,
  rare,
  unescaped,
  unescapedOfMail,
  unescapedRare,
} from './escapes.ts'

/** A text as it is read by who takes its escapes for what they stand for. */
export interface Reading {
  readonly plain: string
  /** Of each unit of it, from where to where it is written. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** Unescaped once and as often as it was escaped; and, beside that, with what may be an escape and may be none. */
export function readingsOf(text: string): readonly Reading[] {
  const readings = [read(asWritten(text), escaped, unescaped)]
  let last = readings[0] ?? asWritten(text)
  for (let times = 1; times < mostTimes; times++) {
    const next = read(last, escaped, unescaped)
    if (next === last) break
    readings.push(next)
    last = next
  }
  const others = [
    read(last, ofMail, unescapedOfMail),
    read(last, rare, unescapedRare),
    read(last, cutEscape, () => ''),
  ]
  return [...readings, ...others.filter((other) => other !== last)]
}

const asWritten = (text: string): Reading => {
  const units = Array.from({ length: text.length }, (_, index) => index)
  return { plain: text, starts: units, ends: units.map((index) => index + 1) }
}

/** The same one where nothing in it is escaped. */
function read(from: Reading, what: RegExp, meaning: (written: string) => string): Reading {
  let plain = ''
  const starts: number[] = []
  const ends: number[] = []
  let at = 0
  const copyUntil = (end: number) => {
    plain += from.plain.slice(at, end)
    starts.push(...from.starts.slice(at, end))
    ends.push(...from.ends.slice(at, end))
    at = end
  }
  for (const { 0: written, index } of from.plain.matchAll(what)) {
    const meant = meaning(written)
    if (meant === written) continue
    copyUntil(index)
    at = index + written.length
    plain += meant
    for (let unit = 0; unit < meant.length; unit++) {
      starts.push(from.starts[index] ?? 0)
      ends.push(from.ends[at - 1] ?? 0)
    }
  }
  if (at === 0) return from
  copyUntil(from.plain.length)
  return { plain, starts, ends }
}
