import * as v from 'valibot'
import { day, line } from './text-rules.ts'

/** By name: what the school says of itself. A sentence has it as `{name}`. */
export const claims = v.record(
  v.pipe(v.string(), v.regex(/^[a-z]+(-[a-z]+)*$/, 'is no name: small letters and dashes alone')),
  v.strictObject({
    figure: line(8),
    label: line(32),
    text: line(60),
    source: line(200),
    checked: day,
  }),
)

export type Claims = v.InferOutput<typeof claims>
