import { makeInvalidDayMessage, parseRangeEnd, parseRangeStart } from '#domain/day-range.ts'
import { maxOriginLength } from '#domain/lead/attribution.ts'
import type { Message } from '#domain/operator/messages.ts'
import { makeFieldMessage, makeProblemMessage } from '#domain/operator/messages.ts'
import type { FilterFieldProps } from './filter-form.tsx'

interface FieldParser<Value> {
  /** Returns undefined for an invalid text. */
  readonly parse: (text: string) => Value | undefined
  /** Makes the error message for an invalid text. */
  readonly explain: (text: string) => string
}

const dayParsers = {
  from: { parse: parseRangeStart, explain: makeInvalidDayMessage },
  to: { parse: parseRangeEnd, explain: makeInvalidDayMessage },
}

/**
 * Parses the filter in a page's URL. Besides the given fields, each filter has the days `from` and `to`. A field has
 * one value; an empty field does not filter.
 */
export function parsePageFilter<Values extends object>(
  parsers: { readonly [Name in keyof Values]: FieldParser<Values[Name]> },
  queries: Readonly<Record<string, string>>,
) {
  type Name = (keyof Values & string) | keyof typeof dayParsers
  const all = { ...parsers, ...dayParsers } as Readonly<Record<Name, FieldParser<unknown>>>
  const names = Object.keys(all) as Name[]
  const given = Object.fromEntries(
    names.map((name) => [name, (queries[name] ?? '').replaceAll('\0', '').trim()]),
  ) as Record<Name, string>
  const parsed: Partial<Record<Name, unknown>> = {}
  const faults: Partial<Record<Name, string>> = {}
  for (const name of names.filter((field) => given[field] !== '')) {
    // A cut value would select other rows than the operator wants.
    if (given[name].length > maxOriginLength) {
      faults[name] = `Use at most ${maxOriginLength} characters.`
      continue
    }
    parsed[name] = all[name].parse(given[name])
    if (parsed[name] === undefined) faults[name] = all[name].explain(given[name])
  }
  const values = parsed as Partial<Values & Readonly<Record<keyof typeof dayParsers, number>>>
  if (values.from !== undefined && values.to !== undefined && values.from >= values.to) {
    faults.to = 'Choose a day on or after the first day.'
  }
  return {
    given,
    values,
    faults,
    /** The name of an unknown field. The page refuses it, because a mistyped filter would show too much. */
    unknownName: Object.keys(queries).find((name) => !names.some((known) => known === name)),
    query: formatQueryString(given),
  }
}

export type FieldDefinition = Omit<FilterFieldProps, 'name' | 'value' | 'others' | 'problem'>

/** Makes the fields of a filter form, in the order of their definitions. */
export const makeFilterFields = <Name extends string>(
  definitions: Readonly<Record<Name, FieldDefinition>>,
  given: Readonly<Record<NoInfer<Name>, string>>,
  faults: Readonly<Partial<Record<NoInfer<Name>, string>>>,
): readonly FilterFieldProps[] =>
  (Object.keys(definitions) as Name[]).map((name) => ({
    name,
    value: given[name],
    problem: faults[name],
    ...definitions[name],
  }))

/** Makes a query string of the values that are not empty. */
export const formatQueryString = (values: Readonly<Record<string, string>>): string =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString()

export function findFilterProblem(
  faults: Readonly<Partial<Record<string, string>>>,
  unknownName: string | undefined,
): Message | undefined {
  if (unknownName !== undefined) {
    const heading = `There is no filter “${unknownName.slice(0, 40)}”`
    return makeProblemMessage(heading, 'Nothing was listed. Correct the URL, or clear the filter.')
  }
  if (Object.keys(faults).length === 0) return undefined
  return makeFieldMessage(faults, 'The filter has an error. Nothing was listed')
}
