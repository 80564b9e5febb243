import { Hono } from 'hono'
import type { ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import { isExportFormat, streamTextFile } from '#console/requests/stream-text-file.ts'
import { assertStillPermitted } from '#console/security/still-permitted.ts'
import {
  makeFieldMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import { exportLeadsForConsole } from '#server/leads/export-leads.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'
import { storePersonSearch } from '#server/leads/person-searches.ts'
import { maxSavedViews } from '#server/leads/saved-views.ts'
import { authorize } from '#server/operators/authorize.ts'
import { addByteOrderMark } from '#server/platform/export-formats.ts'
import { columnsCookie } from './columns-cookie.ts'
import {
  makeLeadsUrl,
  parseLeadsUrl,
  parsePostedFilter,
  parsePostedLeadsQuery,
} from './leads-url.ts'
import { makeLeadsPageRenderer, makeSearchFaultMessage } from './show-leads.tsx'

export function leadListRoutes(services: ConsoleServices) {
  const { store, metrics, savedViews, flash, clock } = services
  const { index, audit } = store.forConsole
  const show = makeLeadsPageRenderer(services)
  return new Hono<ConsoleEnv>()
    .get('/leads', (c) => show(c, parseLeadsUrl(c)))
    .post('/leads/search', async (c) => {
      const { search, query } = await readForm(c, 'search', 'query')
      const requested = parsePostedLeadsQuery(query)
      const actor = c.get('actor')
      const searchContext = { index, audit, onTooMany: metrics.countRevealsRefused }
      const stored = await storePersonSearch(searchContext, actor, search, clock())
      if ('id' in stored) {
        return c.redirect(makeLeadsUrl({ ...requested.address, searchId: stored.id }), 303)
      }
      const findsPeople = isAllowed(actor.role, 'search for a person')
      const message = makeSearchFaultMessage(stored.fault, findsPeople)
      // The typed text may be personal data. The response shows the text again, so that no URL contains the text.
      return show(c, requested, { message, search })
    })
    .post('/leads/columns', async (c) => {
      const { query, toggle } = await readForm(c, 'query', 'toggle')
      columnsCookie.toggle(c, toggle)
      return c.redirect(`${makeLeadsUrl(parsePostedLeadsQuery(query).address)}#columns`, 303)
    })
    .post('/leads/export', async (c) => {
      const actor = c.get('actor')
      const form = await readForm(c, 'query', 'format')
      authorize(actor, 'export leads', clock())
      const { read, address } = parsePostedFilter(form)
      const { query, searchId } = address
      const { format } = form
      if (!isExportFormat(format)) throw new InvalidFilterError()
      const request = { filter: read.filter, searchId, format, query }
      const text = await exportLeadsForConsole(store.forConsole, actor, request, clock())
      return streamTextFile(
        c,
        addByteOrderMark(text, format),
        { name: 'leads', format, at: clock() },
        () => assertStillPermitted(services, c, 'export leads'),
      )
    })
    .post('/leads/views', async (c) => {
      const form = await readForm(c, 'name', 'query', 'share')
      const requested = parsePostedFilter(form)
      const { query } = requested.address
      const view = { name: form.name, query, isShared: form.share === 'yes' }
      const outcome = await savedViews.save(c.get('actor'), view)
      if (outcome !== 'saved') {
        const message = makeFieldMessage({ name: nameErrors[outcome] }, 'The view was not saved')
        return show(c, requested, { message, view })
      }
      const readers = view.isShared ? 'All operators' : 'You'
      const text = `${readers} can open the view by its name above the list.`
      return flash.redirect(c, makeLeadsUrl({ query }), makeSuccessMessage('View saved', text))
    })
    .post('/leads/views/remove', async (c) => {
      const { id } = await readForm(c, 'id')
      const query = await savedViews.remove(c.get('actor'), id)
      if (query === undefined) {
        const problem = 'The view doesn’t exist any more, or it isn’t yours. Nothing was removed.'
        return flash.redirect(c, '/leads', makeProblemMessage(problem))
      }
      const text = 'This page still shows its leads. To get the view back, save it again.'
      return flash.redirect(c, makeLeadsUrl({ query }), makeSuccessMessage('View removed', text))
    })
}

const nameErrors = {
  'no name': 'Give the view a name of up to 60 characters.',
  'too long': 'The filter is too long for a link. Remove some values.',
  'too many': `You already have ${maxSavedViews} views. Remove one first.`,
}
