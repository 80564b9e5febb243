import { Hono } from 'hono'
import { AuditPage } from '#console/audit/audit-page.tsx'
import { html } from '#console/render.ts'
import { MessagePage } from '#console/shell/console-page.tsx'
import type { Message } from '#console/shell/message.tsx'
import { isLeadId } from '#domain/lead/lead-id.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import type { NameGroups } from '#server/delivery/name-groups.ts'
import type { AuditExportOrder } from '#server/operators/audit/export-audit.ts'
import type { ReadAudit } from '#server/operators/audit/read-audit.ts'
import type { May } from '#server/operators/authorise.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { ConsoleEnv } from '../console-env.ts'
import type { KnownProgram } from '../leads/filter-form.ts'
import { unknownFilter, wrongFilter } from '../leads/said-of-leads.ts'
import { readForm } from '../read-form.ts'
import { type AssertStillMay, isFormat, sendText } from '../send-text.ts'
import type { ShellOf } from '../shell-of.ts'
import { auditFields } from './audit-fields.ts'
import { readAuditAddress } from './read-audit-address.ts'
import { jobQueryOf, shownOutcome } from './shown-outcome.ts'
import { leadsQueryOf, shownSubject } from './shown-subject.ts'

export interface AuditPorts {
  readonly shellOf: ShellOf
  readonly readAudit: ReadAudit
  readonly may: May
  /** Those on offer now. */
  readonly programs: () => readonly KnownProgram[]
  readonly nameGroups: NameGroups
  readonly exportAudit: (actor: Actor, order: AuditExportOrder) => Promise<AsyncGenerator<string>>
  readonly assertStillMay: AssertStillMay
  readonly clock: () => number
}

const path = '/audit'
const pageSize = 50

export const audit = (ports: AuditPorts) => {
  const { shellOf, readAudit, may, programs, nameGroups, exportAudit, assertStillMay, clock } =
    ports
  return new Hono<ConsoleEnv>()
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
      const exports = shown?.filter(({ action }) => action === 'exported leads') ?? []
      const groups = await nameGroups(c.get('actor'), [
        ...exports.map(({ subject }) => leadsQueryOf(subject)),
        ...(shown?.map(jobQueryOf) ?? []),
      ])
      const known = { programs: programs(), groups, who }
      const shell = shellOf(c)
      const page = (
        <AuditPage
          shell={shell}
          acts={shown?.map((act) => ({
            ...act,
            to: shownSubject(act, known),
            cameTo: shownOutcome(act, known),
          }))}
          fields={auditFields(asked, who)}
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
      return sendText(c, written, { name: 'audit', format, at: clock() }, () =>
        assertStillMay(c, 'export the audit'),
      )
    })
}

type Asked = ReturnType<typeof readAuditAddress>

function problemOf(
  { faults, unknownName }: Asked,
  before: string | undefined,
): Message | undefined {
  if (unknownName !== undefined) return unknownFilter(unknownName)
  if (Object.keys(faults).length > 0) return wrongFilter(faults)
  return before === undefined || isLeadId(before) ? undefined : noPlace
}

const noPlace: Message = {
  kind: 'problem',
  heading: 'This address points to no place in the audit',
  text: 'Nothing was listed.',
}

const addressOf = (query: string, before?: string): string => {
  const parts = [query, before === undefined ? '' : `before=${before}`].filter(
    (part) => part !== '',
  )
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`
}
