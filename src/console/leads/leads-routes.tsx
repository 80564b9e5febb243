import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import {
  assertStillPermitted,
  isExportFormat,
  streamTextFile,
} from '#console/requests/stream-text-file.ts'
import { toDay } from '#domain/calendar.ts'
import type { SearchFault } from '#domain/lead/person-search.ts'
import {
  type Message,
  makeFieldMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { isAllowed, type Permission } from '#domain/operator/permissions.ts'
import { exportLeadsForConsole } from '#server/leads/export-leads.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'
import { listLeads } from '#server/leads/list-leads.ts'
import { storePersonSearch } from '#server/leads/person-searches.ts'
import { maxSavedViews } from '#server/leads/saved-views.ts'
import { authorize } from '#server/operators/authorize.ts'
import { addByteOrderMark } from '#server/platform/export-formats.ts'
import { LeadsPage, searchableTexts } from './leads-page.tsx'
import {
  findFilterProblem,
  type LeadsRequest,
  makeLeadFilterForm,
  makeLeadsUrl,
  parseCursor,
  parseLeadsQuery,
  parsePostedFilter,
  replaceErrorWords,
} from './read-filter.ts'
import type { SavedViewsProps } from './saved-views.tsx'

const pageSize = 50

export function leadListRoutes(services: ConsoleServices) {
  const { store, metrics, savedViews, programs, siteOrigin, flash, clock } = services
  const { database, audit, knownOrigins } = store.forConsole
  const { zone } = store
  const reasonsFor = (c: ConsoleContext) =>
    store.forConsole.funnel.reasons(!isAllowed(c.get('actor').role, 'search for a person'))
  /** @param refused the message and the typed values of a form that the server refused */
  const show = async (
    c: ConsoleContext,
    requested: LeadsRequest,
    refused: { message?: Message; search?: string; view?: SavedViewsProps['typed'] } = {},
  ) => {
    const { read, address, cursor } = requested
    const after = cursor === undefined ? undefined : parseCursor(cursor)
    const actor = c.get('actor')
    const mayDo = (action: Permission) => isAllowed(actor.role, action)
    const problem = findRequestProblem(requested, mayDo('search for a person'))
    const reasons = await reasonsFor(c)
    const query = {
      ...{ filter: read.filter, searchId: address.searchId, after, take: pageSize },
      reasonOf: reasons.describeError,
    }
    // A refused search shows no list, because its buttons would act on all leads instead of the searched ones.
    const isRefused = problem !== undefined || refused.search !== undefined
    const known = await knownOrigins()
    const page = (
      <LeadsPage
        requested={requested}
        found={isRefused ? undefined : await listLeads(store.forConsole, actor, query, clock())}
        site={siteOrigin}
        typedSearch={refused.search}
        filter={makeLeadFilterForm(requested, programs(), known, {
          mayReveal: mayDo('reveal a lead'),
          reasons,
        })}
        views={{
          views: await savedViews.list(actor),
          requested,
          ownId: actor.id,
          typed: refused.view,
        }}
      />
    )
    const message = problem ?? refused.message
    return c.render(page, message, message && 400)
  }

  return new Hono<ConsoleEnv>()
    .get('/leads', async (c) => {
      const { findErrors } = await reasonsFor(c)
      const query = replaceErrorWords(new URL(c.req.url).search, findErrors)
      return show(c, parseLeadsQuery(query, zone))
    })
    .post('/leads/search', async (c) => {
      const { search, query } = await readForm(c, 'search', 'query')
      const requested = parseLeadsQuery(query, zone)
      const actor = c.get('actor')
      const searchContext = { database, audit, onTooMany: metrics.countRevealsRefused }
      const stored = await storePersonSearch(searchContext, actor, search, clock())
      if ('id' in stored) {
        return c.redirect(makeLeadsUrl({ ...requested.address, searchId: stored.id }), 303)
      }
      const findsPeople = isAllowed(actor.role, 'search for a person')
      const message = makeSearchFaultMessage(stored.fault, findsPeople)
      // The typed text may be personal data. The response shows the text again, so that no URL contains the text.
      return show(c, requested, { message, search })
    })
    .post('/leads/export', async (c) => {
      const actor = c.get('actor')
      const form = await readForm(c, 'query', 'format')
      authorize(actor, 'export leads', clock())
      const { read, address } = parsePostedFilter(form, zone)
      const { query, searchId } = address
      const { format } = form
      if (!isExportFormat(format)) throw new InvalidFilterError()
      const request = { filter: read.filter, searchId, format, query }
      const text = await exportLeadsForConsole(store.forConsole, actor, request, clock())
      return streamTextFile(
        c,
        addByteOrderMark(text, format),
        { name: 'leads', format, day: toDay(clock(), zone) },
        () => assertStillPermitted(services, c, 'export leads'),
      )
    })
    .post('/leads/views', async (c) => {
      const form = await readForm(c, 'name', 'query', 'share')
      const requested = parsePostedFilter(form, zone)
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
        const problem = 'The view no longer exists, or it isn’t yours. Nothing was removed.'
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

function findRequestProblem(requested: LeadsRequest, findsPeople: boolean): Message | undefined {
  const { read, address, cursor, unknownName } = requested
  const problem = findFilterProblem(read.faults, unknownName)
  if (problem !== undefined) return problem
  if (cursor !== undefined && parseCursor(cursor) === undefined) {
    return makeProblemMessage(
      'This page of leads doesn’t exist',
      'The URL may be incomplete. Apply the filter again to see the first page.',
    )
  }
  return address.searchId === '' ? makeSearchFaultMessage('empty', findsPeople) : undefined
}

const searchErrors: Readonly<Record<SearchFault, string>> = {
  empty: `Enter ${searchableTexts}.`,
  'too long': `Enter only ${searchableTexts}.`,
  'part of an email address': 'Enter the full email address, such as ada@example.com.',
  'part of a phone number': 'Enter all 10 digits of the phone number, or a full reference.',
  'part of a reference':
    'Enter the full reference, such as 7K4MQ2XH, or the full id of 36 characters.',
}

/** Makes the error for a text that can't be searched for. @param findsPeople whether the role may search for a person */
const makeSearchFaultMessage = (fault: SearchFault, findsPeople: boolean): Message =>
  makeFieldMessage(
    { search: findsPeople ? searchErrors[fault] : 'Enter a full reference.' },
    fault === 'empty' ? 'The search field is empty' : 'Nothing was searched',
  )
