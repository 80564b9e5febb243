import { dayBegins, dayEnds, notADay } from '#domain/day-range.ts'
import { isLeadId } from '#domain/lead/lead-id.ts'
import { type AuditFilter, auditActions } from '#server/operators/audit/audit.ts'

export const auditFilterNames = ['action', 'who', 'subject', 'via', 'from', 'to'] as const

export type AuditFilterName = (typeof auditFilterNames)[number]

export const ways = ['console', 'command line'] as const

const known: readonly string[] = [...auditFilterNames, 'before']

/** In the address an operator is an id: their email names somebody. */
export const userPrefix = 'user:'

/** What the address asks for, right or wrong; what is empty says nothing. */
export function readAuditAddress(queries: Readonly<Record<string, string>>) {
  const given = Object.fromEntries(
    auditFilterNames.map((name) => [
      name,
      (queries[name] ?? '').replaceAll('\0', '').trim().slice(0, 200),
    ]),
  ) as Record<AuditFilterName, string>
  const faults: Partial<Record<AuditFilterName, string>> = {}
  const read = <Value>(
    name: AuditFilterName,
    to: (text: string) => Value | undefined,
    fault: (text: string) => string,
  ): Value | undefined => {
    const text = given[name]
    const value = text === '' ? undefined : to(text)
    if (text !== '' && value === undefined) faults[name] = fault(text)
    return value
  }
  const who = read('who', readWho, () => 'There is nobody of that name.')
  const filter: AuditFilter = {
    action: read('action', oneOf(auditActions), (text) => `There is no act “${text}”.`),
    ...who,
    subject: read(
      'subject',
      readSubject,
      () => 'This is no reference: one has 36 characters, as 019bc0de-0000-7000-8000-000000000001.',
    ),
    via: read('via', oneOf(ways), () => 'An act is done on the console or the command line.'),
    since: read('from', dayBegins, notADay),
    until: read('to', dayEnds, notADay),
  }
  if (filter.since !== undefined && filter.until !== undefined && filter.since >= filter.until) {
    faults.to ??= 'This is before the first day: nothing can lie between the two.'
  }
  // Mistyped: left out, it would show and export more than was asked for.
  const unknownName = Object.keys(queries).find((name) => !known.includes(name))
  return { filter, given, faults, unknownName, query: queryOf(given) }
}

const readWho = (text: string): Pick<AuditFilter, 'operatorId' | 'user'> | undefined => {
  if (text.startsWith(userPrefix)) return { user: text.slice(userPrefix.length) }
  return isLeadId(text) ? { operatorId: text } : undefined
}

/** What is none may be a person's address or phone number: nobody is looked for by theirs in an address. */
const readSubject = (text: string) => {
  const id = text.toLowerCase()
  return isLeadId(id) ? id : undefined
}

const oneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word | undefined =>
    words.find((word) => word === text)

/** The part of an address that says the same. */
const queryOf = (given: Readonly<Record<AuditFilterName, string>>): string =>
  new URLSearchParams(
    auditFilterNames.flatMap((name) => (given[name] === '' ? [] : [[name, given[name]]])),
  ).toString()
