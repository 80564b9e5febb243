import type { FilterFieldProps } from '#console/leads/filter-form.tsx'
import { leadIdPattern } from '#domain/lead/lead-id.ts'
import { auditActions } from '#server/operators/audit/audit.ts'
import type { WhoActs } from '#server/operators/audit/read-audit.ts'
import {
  type AuditFilterName,
  auditFilterNames,
  type readAuditAddress,
  userPrefix,
  ways,
} from './read-audit-address.ts'

/** Checked by the browser, too: what is typed into this field by mistake must not reach the address. */
const reference = {
  pattern: leadIdPattern,
  said: 'A reference: 36 digits, letters and hyphens. Search for a person on the page Leads.',
}

/** What the audit is filtered by, as it was filled in. */
export function auditFields(
  { given, faults }: ReturnType<typeof readAuditAddress>,
  { operators, users }: WhoActs,
) {
  const who = [
    ...operators.map(({ id, email }) => ({ value: id, label: email })),
    ...users.map((user) => ({ value: userPrefix + user, label: `${user}, on the command line` })),
  ]
  const asItIs = (value: string) => ({ value, label: value })
  const fields: Readonly<
    Record<AuditFilterName, Pick<FilterFieldProps, 'label' | 'options' | 'type' | 'only'>>
  > = {
    action: { label: 'Did', options: auditActions.map(asItIs) },
    who: {
      label: 'Who',
      options:
        given.who === '' || who.some(({ value }) => value === given.who)
          ? who
          : [...who, asItIs(given.who)],
    },
    subject: { label: 'To (a reference)', only: reference },
    via: { label: 'By', options: ways.map(asItIs) },
    from: { label: 'Since', type: 'date' },
    to: { label: 'Until', type: 'date' },
  }
  return auditFilterNames.map((name) => ({
    name,
    ...fields[name],
    value: given[name],
    problem: faults[name],
  }))
}
