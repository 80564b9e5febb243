import { Hono } from 'hono'
import { isAllowed } from '#domain/operator/rights.ts'
import { exportFoundLeads } from '#server/leads/export-leads.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'
import { searchForPerson } from '#server/leads/search-leads.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { ConsoleEnv, ConsoleServices } from '../console-env.ts'
import { readForm } from '../read-form.ts'
import { assertStillAllowed, isExportFormat, streamTextFile } from '../stream-text-file.ts'
import { columnsCookie } from './columns-cookie.ts'
import {
  makeEmptySearchNotice,
  makeViewNotSavedNotice,
  makeViewSavedNotice,
  saveErrors,
  viewRemovedNotice,
} from './lead-notices.ts'
import {
  makeLeadsUrl,
  parseLeadsUrl,
  parsePostedFilter,
  parsePostedParameters,
} from './leads-url.ts'
import { makeShowLeads } from './show-leads.tsx'

export function leadListRoutes(parts: ConsoleServices) {
  const { store, metrics, manageViews, notice, clock } = parts
  const { index, audit } = store.forConsole
  const show = makeShowLeads(parts)
  return new Hono<ConsoleEnv>()
    .get('/leads', (c) => show(c, parseLeadsUrl(c)))
    .post('/leads/search', async (c) => {
      const { search, query } = await readForm(c, 'search', 'query')
      const requested = parsePostedParameters(query)
      const searchId = await searchForPerson(
        { index, audit, onTooMany: metrics.countRevealsRefused },
        c.get('actor'),
        search,
        clock(),
      )
      // The typed text may be personal data, so the page repeats it, but no URL contains it.
      return searchId === undefined
        ? show(c, requested, {
            message: makeEmptySearchNotice(isAllowed(c.get('actor').role, 'search for a person')),
            search,
          })
        : c.redirect(makeLeadsUrl({ ...requested.address, searchId }), 303)
    })
    .post('/leads/columns', async (c) => {
      const { query, toggle } = await readForm(c, 'query', 'toggle')
      columnsCookie.toggle(c, toggle)
      return c.redirect(`${makeLeadsUrl(parsePostedParameters(query).address)}#columns`, 303)
    })
    .post('/leads/export', async (c) => {
      const actor = c.get('actor')
      const form = await readForm(c, 'query', 'format')
      authorize(actor, 'export leads', clock())
      const { read, address } = parsePostedFilter(form)
      const { query, searchId } = address
      const { format } = form
      if (!isExportFormat(format)) throw new InvalidFilterError()
      const text = await exportFoundLeads(
        store.forConsole,
        actor,
        {
          filter: read.filter,
          searchId,
          format,
          subject: searchId === undefined ? query : `${query} of a person found by search`.trim(),
        },
        clock(),
      )
      return streamTextFile(c, text, { name: 'leads', format, at: clock() }, () =>
        assertStillAllowed(parts, c, 'export leads'),
      )
    })
    .post('/leads/views', async (c) => {
      const form = await readForm(c, 'name', 'query', 'share')
      const requested = parsePostedFilter(form)
      const { query } = requested.address
      const view = { name: form.name, query, isShared: form.share === 'yes' }
      const outcome = await manageViews.save(c.get('actor'), view)
      if (outcome !== 'saved') {
        return show(c, requested, { message: makeViewNotSavedNotice(saveErrors[outcome]), view })
      }
      return notice.redirect(c, makeLeadsUrl({ query }), makeViewSavedNotice(view.isShared))
    })
    .post('/leads/views/remove', async (c) => {
      const { id } = await readForm(c, 'id')
      await manageViews.remove(c.get('actor'), id)
      return notice.redirect(c, '/leads', viewRemovedNotice)
    })
}
