import * as v from 'valibot'
import { tidyLine } from '../tidy-line.ts'

/** A line that a person typed: tidied, present, of a sane length. */
export const line = (missing: string, maxLength: number) =>
  v.pipe(
    v.string(missing),
    v.transform(tidyLine),
    v.nonEmpty(missing),
    v.maxLength(maxLength, `Use at most ${maxLength} characters.`),
  )
