import * as v from 'valibot'
import { placeholdersIn } from '#content/fill-in.ts'

/** What a placeholder counts as, where room is measured: names and figures are about as long. */
const placeholderLength = 12

const lengthOf = (text: string): number =>
  placeholdersIn(text).reduce(
    (length, name) => length - name.length - 2 + placeholderLength,
    text.length,
  )

/**
 * One line of a page.
 * @param most how many characters its place has room for, on a phone and beside the form
 */
export const line = (most: number) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.replaceAll(/\s+/g, ' ').trim()),
    v.nonEmpty('is empty'),
    v.check(
      (text) => !/<[a-z/!?]/i.test(text),
      'has HTML in it, which readers would see as it stands: take it out',
    ),
    v.check(
      (text) => lengthOf(text) <= most,
      ({ input }) => `is ${lengthOf(input)} characters long: there is room for ${most}`,
    ),
  )

/** Several of them. */
export const listOf = <Schema extends v.GenericSchema>(item: Schema, least: number, most: number) =>
  v.pipe(
    v.array(item),
    v.minLength(least, ({ input }) => `has ${input.length}: there are at least ${least}`),
    v.maxLength(most, ({ input }) => `has ${input.length}: there is room for ${most}`),
  )

/** YYYY-MM-DD. */
export const day = v.pipe(
  v.string(),
  v.check(
    (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text),
    'is no day: write it like 2026-11-21',
  ),
)

/** A month has no 31st that Date would not carry over. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

export const color = v.pipe(
  v.string(),
  v.transform((text) => text.toLowerCase()),
  v.regex(
    /^#[\da-f]{6}$/,
    "is no color: write it like '#1d4f91', in quotes, as YAML takes a # without them for a comment",
  ),
)
