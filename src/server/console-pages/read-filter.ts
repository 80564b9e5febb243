import type { Message } from '#console/shell/message.tsx'

/** Reads the fields of a filter in an address, where each field has one value. Empty fields don't filter. */
export function readFilterFields<Name extends string>(
  names: readonly Name[],
  queries: Readonly<Record<string, string>>,
) {
  const given = Object.fromEntries(
    names.map((name) => [name, (queries[name] ?? '').replaceAll('\0', '').trim().slice(0, 200)]),
  ) as Record<Name, string>
  return {
    given,
    /** A mistyped name, which is an error: without it, the page would show more than the operator asked for. */
    unknownName: Object.keys(queries).find((name) => !names.some((known) => known === name)),
    query: makeQuery(given),
  }
}

/** Makes a query string of the values that are not empty. */
export const makeQuery = (values: Readonly<Record<string, string>>): string =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString()

export function findFilterProblem({
  unknownName,
  faults,
}: {
  readonly unknownName: string | undefined
  readonly faults: NonNullable<Message['fields']>
}): Message | undefined {
  if (unknownName !== undefined) {
    return {
      kind: 'problem',
      heading: `There is no filter “${unknownName.slice(0, 40)}”`,
      text: 'Nothing was listed. Correct the address, or clear the filter.',
    }
  }
  if (Object.keys(faults).length === 0) return undefined
  return { kind: 'problem', heading: 'The filter has an error. Nothing was listed', fields: faults }
}
