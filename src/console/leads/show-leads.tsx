import type { ConsoleContext, ConsoleServices } from '#console/console-services.ts'
import { describeSignal } from '#domain/abuse/signals.ts'
import { describePeople, type SearchFault, searchTermNames } from '#domain/lead/person-search.ts'
import type { Message } from '#domain/operator/messages.ts'
import { makeFieldMessage, makeProblemMessage } from '#domain/operator/messages.ts'
import { isAllowed, type Permission } from '#domain/operator/permissions.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { type ListedLead, type ListedLeads, listLeads } from '#server/leads/list-leads.ts'
import { columnsCookie } from './columns-cookie.ts'
import type { LeadTableRow } from './lead-table.tsx'
import { type LeadList, LeadsPage } from './leads-page.tsx'
import {
  formatLeadsQuery,
  hasValidFilter,
  type LeadsQuery,
  type LeadsRequest,
  makeLeadsUrl,
  parseCursor,
} from './leads-url.ts'
import { findFilterProblem } from './read-filter.ts'
import { makeLeadFilterForm } from './read-filter-form.ts'
import type { SavedViewsProps } from './saved-views.tsx'

/** The message and the typed values of a form that the server refused. */
interface RefusedLeadsForm {
  readonly message?: Message | undefined
  readonly search?: string | undefined
  readonly view?: SavedViewsProps['typed']
}

const pageSize = 50

export const makeLeadsPageRenderer =
  ({ store, savedViews, programs, siteOrigin, clock }: ConsoleServices) =>
  async (c: ConsoleContext, requested: LeadsRequest, refused: RefusedLeadsForm = {}) => {
    const { read, address, cursor } = requested
    const after = cursor === undefined ? undefined : parseCursor(cursor)
    const actor = c.get('actor')
    const mayDo = (action: Permission) => isAllowed(actor.role, action)
    const problem = findRequestProblem(requested, mayDo('search for a person'))
    const query = { filter: read.filter, searchId: address.searchId, after, take: pageSize }
    // A refused search shows no list, because its buttons would act on all leads instead of the searched ones.
    const isRefused = problem !== undefined || refused.search !== undefined
    const found = isRefused ? undefined : await listLeads(store.forConsole, actor, query, clock())
    const isToSettle = read.filter.restored.length > 0 && mayDo('settle deliveries')
    const list = found && toLeadList(found, address, isToSettle)
    const message = problem ?? refused.message
    const views = await savedViews.list(actor)
    const known = await store.forConsole.index.knownOrigins()
    const page = (
      <LeadsPage
        site={siteOrigin}
        filterQuery={address.query}
        query={formatLeadsQuery(address)}
        endSearch={address.searchId ? makeLeadsUrl({ query: address.query }) : undefined}
        typedSearch={refused.search}
        filter={makeLeadFilterForm(requested, programs(), known, mayDo('reveal a lead'))}
        searchTerm={found?.searchTerm}
        list={list}
        views={{
          views: views.map(({ id, operatorId, name, query, isShared }) => ({
            id,
            name: escapeInvisible(name),
            address: makeLeadsUrl({ query }),
            isShown: query === address.query && address.searchId === undefined,
            mayRemove: operatorId === actor.id || mayDo('remove others’ views'),
            isShared,
          })),
          query: hasValidFilter(requested) ? address.query : '',
          typed: refused.view,
        }}
        columns={columnsCookie.read(c)}
      />
    )
    return c.render(page, message, message && 400)
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

const searchableTexts = 'a full email address, phone number, last name or reference'

const searchErrors: Readonly<Record<SearchFault, string>> = {
  empty: `Enter ${searchableTexts}.`,
  'too long': `Enter only ${searchableTexts}.`,
  'part of an email address': 'Enter the full email address, such as ada@example.com.',
  'part of a phone number': 'Enter all 10 digits of the phone number, or a full reference.',
  'part of a reference': 'Enter the full reference, which has 36 characters.',
}

/** Makes the error for a text that can't be searched for. @param findsPeople whether the role may search for a person */
export const makeSearchFaultMessage = (fault: SearchFault, findsPeople: boolean): Message =>
  makeFieldMessage(
    { search: findsPeople ? searchErrors[fault] : 'Enter a full reference.' },
    fault === 'empty' ? 'The search field is empty' : 'Nothing was searched',
  )

export function toLeadList(found: ListedLeads, address: LeadsQuery, isToSettle: boolean): LeadList {
  const { leads, next, searchedUntil } = found
  return {
    rows: leads.map(toRow),
    count: formatCount(found),
    people: found.people && describePeople(found.people),
    searchedUntil,
    isToSettle,
    isUnfiltered: address.query === '' && address.searchId === undefined,
    empty:
      searchedUntil !== undefined
        ? 'Nothing found yet: search further back.'
        : found.searchTerm === undefined
          ? `No lead matches. Remove a condition, or search for ${searchableTexts}.`
          : `No lead${address.query && ' that matches the filter'} has this ${searchTermNames[found.searchTerm]}. You can search for ${searchableTexts}, but not for a first name or a part of these.`,
    older: next && makeLeadsUrl(address, next),
  }
}

const toRow = (lead: ListedLead): LeadTableRow => ({
  ...lead,
  initials: escapeInvisible(lead.initials),
  program: lead.programName,
  affiliate: lead.affiliate && escapeInvisible(lead.affiliate),
  source: lead.source && escapeInvisible(lead.source),
  campaign: lead.campaign && escapeInvisible(lead.campaign),
  remarks: [
    lead.isUnreadable && 'unreadable',
    lead.isHeld && 'held by a cap',
    lead.isReturned && 'returned',
    lead.isVerified === false && 'address not verified',
    ...lead.signals.map(describeSignal),
  ].filter((remark) => remark !== false),
})

/** Formats the number of leads, as in `10,000+ leads` if not all were counted. */
function formatCount({ matches: { count, isAll } }: ListedLeads): string {
  if (isAll) return pluralize(count, 'lead')
  return count === 0 ? 'None found so far' : `${count.toLocaleString('en-US')}+ leads`
}
