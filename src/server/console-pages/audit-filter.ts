import type { FilterFieldProps } from '#console/leads/filter-form.tsx'
import { makeInvalidDayMessage, parseRangeEnd, parseRangeStart } from '#domain/day-range.ts'
import { isLeadId, leadIdPattern } from '#domain/lead/lead.ts'
import { auditActions, describeAuditAction } from '#domain/operator/audit-action.ts'
import type { AuditFilter } from '#server/operators/audit.ts'
import type { AuditActors } from '#server/operators/read-audit.ts'

const filterNames = ['action', 'who', 'subject', 'from', 'to'] as const

type FilterName = (typeof filterNames)[number]

const knownNames: readonly string[] = [...filterNames, 'before']

/** The URL names operators by id, because an email address is personal data, and command-line users by this prefix. */
const userPrefix = 'user:'

/** Reads the audit filter from a URL's query, valid or not. Empty fields don't filter. */
export function parseAuditUrl(queries: Readonly<Record<string, string>>) {
  const given = Object.fromEntries(
    filterNames.map((name) => [
      name,
      (queries[name] ?? '').replaceAll('\0', '').trim().slice(0, 200),
    ]),
  ) as Record<FilterName, string>
  const subject = given.subject.toLowerCase()
  const filter: AuditFilter = {
    action: auditActions.find((action) => action === given.action),
    operatorId: isLeadId(given.who) ? given.who : undefined,
    user: given.who.startsWith(userPrefix) ? given.who.slice(userPrefix.length) : undefined,
    // Other text may be a person's email address or phone number, which must not be in a URL.
    subject: isLeadId(subject) ? subject : undefined,
    since: parseRangeStart(given.from),
    until: parseRangeEnd(given.to),
  }
  const values = {
    action: filter.action,
    who: filter.operatorId ?? filter.user,
    subject: filter.subject,
    from: filter.since,
    to: filter.until,
  }
  const invalid = filterNames.filter((name) => given[name] !== '' && values[name] === undefined)
  const faults: Partial<Record<FilterName, string>> = Object.fromEntries(
    invalid.map((name) => [name, faultOf[name](given[name])]),
  )
  if (filter.since !== undefined && filter.until !== undefined && filter.since >= filter.until) {
    faults.to ??= 'Choose a day on or after the first day.'
  }
  // Ignoring a mistyped name would list and export more entries than the operator asked for.
  const unknownName = Object.keys(queries).find((name) => !knownNames.includes(name))
  const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''))
  return { filter, given, faults, unknownName, query: query.toString() }
}

export type ParsedAuditUrl = ReturnType<typeof parseAuditUrl>

const faultOf: Readonly<Record<FilterName, (text: string) => string>> = {
  action: (text) => `There is no action “${text}”.`,
  who: () => 'Choose an operator or a user from the list.',
  subject: () =>
    'Enter a reference of 36 characters, such as 019bc0de-0000-7000-8000-000000000001.',
  from: makeInvalidDayMessage,
  to: makeInvalidDayMessage,
}

/** The browser checks the pattern, too, so that personal data typed by mistake doesn't reach the URL. */
const reference = {
  pattern: leadIdPattern,
  description:
    'A reference: 36 digits, letters and hyphens. Search for a person on the Leads page.',
}

export function makeAuditFields(
  { given, faults }: ParsedAuditUrl,
  { operators, users }: AuditActors,
) {
  const who = [
    ...operators.map(({ id, email }) => ({ value: id, label: email })),
    ...users.map((user) => ({ value: userPrefix + user, label: `${user}, on the command line` })),
  ]
  const fields: Readonly<
    Record<FilterName, Pick<FilterFieldProps, 'label' | 'options' | 'type' | 'only'>>
  > = {
    action: {
      label: 'Action',
      options: auditActions.map((value) => ({ value, label: describeAuditAction(value) })),
    },
    who: {
      label: 'Actor',
      options:
        given.who === '' || who.some(({ value }) => value === given.who)
          ? who
          : [...who, { value: given.who, label: given.who }],
    },
    subject: { label: 'Target (a reference)', only: reference },
    from: { label: 'From', type: 'date' },
    to: { label: 'To', type: 'date' },
  }
  return filterNames.map((name) => ({
    name,
    ...fields[name],
    value: given[name],
    problem: faults[name],
  }))
}
