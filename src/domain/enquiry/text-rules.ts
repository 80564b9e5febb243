import * as v from 'valibot'

/** A line that a person typed: trimmed, present, of a sane length, without control characters (they would forge lines). */
export const line = (missing: string, maxLength: number) =>
  v.pipe(
    v.string(missing),
    v.trim(),
    v.nonEmpty(missing),
    v.maxLength(maxLength, `Use at most ${maxLength} characters.`),
    v.regex(/^\P{Cc}*$/u, 'Use letters, digits and punctuation only.'),
  )
