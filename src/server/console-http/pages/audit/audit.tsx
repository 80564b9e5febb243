import { Hono } from 'hono'
import { AuditPage } from '#console/audit/audit-page.tsx'
import type { FilterFieldProps } from '#console/leads/filter-field-props.ts'
import { html } from '#console/render.ts'
import { MessagePage } from '#console/shell/message-page.tsx'
import { isLeadId, leadIdPattern } from '#domain/lead/lead-id.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { auditActions } from '#server/use-cases/operators/audit/audit.ts'
import type { AuditExportOrder } from '#server/use-cases/operators/audit/export-audit.ts'
import type { ReadAudit, WhoActs } from '#server/use-cases/operators/audit/read-audit.ts'
import type { May } from '#server/use-cases/operators/authorise.ts'
import type { Actor } from '#server/use-cases/operators/operator.ts'
import type { ConsoleEnv } from '../../console-env.ts'
import { readForm } from '../../read-form.ts'
import { isFormat, sendText } from '../../send-text.ts'
import type { ShellOf } from '../../shell-of.ts'
import { unknownFilter } from '../leads/said-of-leads.ts'
import {
  type AuditFilterName,
  auditFilterNames,
  readAuditAddress,
  userPrefix,
  ways,
} from './read-audit-address.ts'

export interface AuditPorts {
  readonly shellOf: ShellOf
  readonly readAudit: ReadAudit
  readonly may: May
  readonly exportAudit: (actor: Actor, order: AuditExportOrder) => Promise<AsyncGenerator<string>>
  readonly clock: () => number
}

const path = '/audit'
const pageSize = 50

export const audit = ({ shellOf, readAudit, may, exportAudit, clock }: AuditPorts) =>
  new Hono<ConsoleEnv>()
    .get(path, async (c) => {
      const actor = c.get('actor')
      const asked = readAuditAddress(c.req.query())
      const { before } = c.req.query()
      const who = await readAudit.whoActs(actor)
      const problem = problemOf(asked, before)
      // One more tells whether there is a next page.
      const query = { ...asked.filter, before, take: pageSize + 1 }
      const acts = problem === undefined ? await readAudit.list(actor, query) : undefined
      const shown = acts?.slice(0, pageSize)
      const last = acts && acts.length > pageSize ? shown?.at(-1) : undefined
      const shell = shellOf(c)
      const page = (
        <AuditPage
          shell={shell}
          acts={shown}
          fields={fieldsOf(asked, who)}
          isFiltered={asked.query !== ''}
          problem={problem}
          newest={before === undefined ? undefined : addressOf(asked.query)}
          older={last && addressOf(asked.query, last.id)}
          exporting={
            shown && shown.length > 0 && isAllowed(actor.role, 'export the audit')
              ? asked.query
              : undefined
          }
        />
      )
      return c.html(html(page), problem === undefined ? 200 : 400)
    })
    .post(`${path}/export`, async (c) => {
      const { query, format, lacks } = await readForm(c, 'query', 'format')
      const asked = readAuditAddress(Object.fromEntries(new URLSearchParams(query)))
      const isMeant = !lacks('query') && problemOf(asked, undefined) === undefined
      if (!isMeant || !isFormat(format)) {
        may(c.get('actor'), 'export the audit')
        const text = 'This filter or format cannot be meant. Nothing was exported.'
        return c.html(html(<MessagePage shell={shellOf(c)} name="Not exported" text={text} />), 409)
      }
      const order = { filter: asked.filter, format, subject: asked.query }
      const written = await exportAudit(c.get('actor'), order)
      return sendText(c, written, { name: 'audit', format, at: clock() })
    })

/** Checked by the browser, too: what is typed into this field by mistake must not reach the address. */
const reference = {
  pattern: leadIdPattern,
  said: 'A reference: 36 digits, letters and hyphens. Search for a person on the page Leads.',
}

type Asked = ReturnType<typeof readAuditAddress>

function problemOf({ faults, unknownName }: Asked, before: string | undefined): string | undefined {
  if (unknownName !== undefined) return unknownFilter(unknownName)
  if (Object.keys(faults).length > 0) return 'This filter cannot be meant'
  return before === undefined || isLeadId(before) ? undefined : 'This is no place in the audit'
}

const addressOf = (query: string, before?: string): string => {
  const parts = [query, before === undefined ? '' : `before=${before}`].filter(
    (part) => part !== '',
  )
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`
}

function fieldsOf({ given, faults }: Asked, { operators, users }: WhoActs) {
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
