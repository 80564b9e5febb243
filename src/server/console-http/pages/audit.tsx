import { Hono } from 'hono'
import { AuditPage } from '#console/audit/audit-page.tsx'
import { html } from '#console/render.ts'
import {
  type AuditedAct,
  type AuditQuery,
  auditActions,
} from '#server/use-cases/operators/audit.ts'
import type { Actor } from '#server/use-cases/operators/operator.ts'
import type { ConsoleEnv } from '../console-env.ts'
import type { ShellOf } from '../shell-of.ts'

export interface AuditPorts {
  readonly shellOf: ShellOf
  readonly readAudit: (actor: Actor, query: AuditQuery) => Promise<readonly AuditedAct[]>
}

const pageSize = 50

export const audit = ({ shellOf, readAudit }: AuditPorts) =>
  new Hono<ConsoleEnv>().get('/audit', async (c) => {
    const { action = '', subject = '', before } = c.req.query()
    const isKnown = action === '' || auditActions.some((known) => known === action)
    const query = {
      ...(action === '' ? {} : { action }),
      ...(subject === '' ? {} : { subject: subject.trim() }),
      before,
      // One more tells whether there is a next page.
      take: pageSize + 1,
    }
    const acts = isKnown ? await readAudit(c.get('actor'), query) : []
    const shown = acts.slice(0, pageSize)
    const last = shown.at(-1)
    const older = new URLSearchParams({ action, subject, before: last?.id ?? '' })
    return c.html(
      html(
        <AuditPage
          shell={shellOf(c)}
          acts={shown}
          actions={auditActions}
          filter={{ action: isKnown ? action : '', subject }}
          problem={isKnown ? undefined : `There is no act of that name: nothing was searched.`}
          older={acts.length > pageSize ? `/audit?${older}` : undefined}
        />,
      ),
      isKnown ? 200 : 400,
    )
  })
