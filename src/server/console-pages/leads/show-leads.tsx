import type { LeadTableRow } from '#console/leads/lead-table.tsx'
import { type LeadList, LeadsPage } from '#console/leads/leads-page.tsx'
import type { SavedViewsProps } from '#console/leads/saved-views.tsx'
import { renderHtml } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { describeSignal } from '#domain/abuse/signals.ts'
import { type Action, isAllowed } from '#domain/operator/rights.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { type ListedLead, type ListedLeads, listLeads } from '#server/leads/list-leads.ts'
import type { ConsoleContext, ConsoleServices } from '../console-env.ts'
import { findFilterProblem } from '../read-filter.ts'
import { columnsCookie } from './columns-cookie.ts'
import { makeFilterFields } from './filter-form.ts'
import { invalidCursorNotice, makeEmptySearchNotice } from './lead-notices.ts'
import {
  formatLeadsQuery,
  hasValidFilter,
  type LeadsQuery,
  type LeadsRequest,
  makeLeadsUrl,
  parseCursor,
  toHiddenFields,
} from './leads-url.ts'

/** The message and the typed text of a form that the server refused. */
interface Refused {
  readonly message?: Message | undefined
  readonly search?: string | undefined
  readonly view?: SavedViewsProps['typed']
}

const pageSize = 50

/** Shows the list of leads, with the errors of a refused form. */
export const makeShowLeads =
  ({ store, shellOf, notice, manageViews, programs, siteOrigin, clock }: ConsoleServices) =>
  async (c: ConsoleContext, requested: LeadsRequest, refused: Refused = {}) => {
    const { read, address, cursor } = requested
    const after = cursor === undefined ? undefined : parseCursor(cursor)
    const actor = c.get('actor')
    const mayDo = (action: Action) => isAllowed(actor.role, action)
    const problem = findRequestProblem(requested, mayDo('search for a person'))
    const browsed =
      problem === undefined
        ? await listLeads(
            store.forConsole,
            actor,
            { filter: read.filter, searchId: address.searchId, after, take: pageSize },
            clock(),
          )
        : undefined
    const list =
      browsed &&
      toLeadList(browsed, {
        address,
        isToSettle: read.filter.restored.length > 0 && mayDo('settle deliveries'),
      })
    const message = problem ?? refused.message
    const shell = shellOf(c)
    const { token } = shell
    const views = await manageViews.list(actor)
    const page = (
      <LeadsPage
        shell={shell}
        message={message ?? notice.take(c)}
        site={siteOrigin}
        search={{
          findsPeople: mayDo('search for a person'),
          query: address.query,
          endSearch: address.searchId ? makeLeadsUrl({ query: address.query }) : undefined,
          typed: refused.search,
          problem: message?.fields?.search,
        }}
        filter={makeFilterFields(requested, programs(), mayDo('reveal a lead'))}
        list={list}
        views={{
          token,
          views: views.map(({ id, operatorId, name, query, isShared }) => ({
            id,
            name: escapeInvisible(name),
            address: makeLeadsUrl({ query }),
            isShown: query === address.query && address.searchId === undefined,
            mayRemove: operatorId === actor.id || mayDo('remove others’ views'),
            isShared,
          })),
          query: hasValidFilter(requested) ? address.query : '',
          mayShare: mayDo('share a view'),
          typed: refused.view,
          problem: message?.fields?.name,
        }}
        newJobForm={
          list && mayDo('run jobs') && list.rows.length > 0
            ? { filter: toHiddenFields(address) }
            : undefined
        }
        columns={{ token, shown: columnsCookie.read(c), query: formatLeadsQuery(address) }}
        exportForm={
          list && mayDo('export leads') && list.rows.length > 0
            ? {
                token,
                action: '/leads/export',
                name: 'A file of these leads',
                query: formatLeadsQuery(address),
                stepUpFor: shell.stepUpFor,
                hint: 'The file contains personal data. The audit log records the export.',
              }
            : undefined
        }
      />
    )
    return c.html(renderHtml(page), message === undefined ? 200 : 400)
  }

function findRequestProblem(requested: LeadsRequest, findsPeople: boolean): Message | undefined {
  const { read, address, cursor, unknownName } = requested
  const problem = findFilterProblem({ unknownName, faults: read.faults })
  if (problem !== undefined) return problem
  if (cursor !== undefined && parseCursor(cursor) === undefined) return invalidCursorNotice
  return address.searchId === '' ? makeEmptySearchNotice(findsPeople) : undefined
}

interface Listing {
  readonly address: LeadsQuery
  readonly isToSettle: boolean
}

/** Converts the found leads into the rows of the page. */
export function toLeadList(found: ListedLeads, { address, isToSettle }: Listing): LeadList {
  const { leads, next, searchedUntil } = found
  return {
    rows: leads.map(toRow),
    count: formatCount(found),
    searchedUntil,
    isToSettle,
    isUnfiltered: address.query === '' && address.searchId === undefined,
    empty:
      searchedUntil === undefined
        ? 'No lead matches. Remove a condition, or search for a full email address, phone number, last name or reference.'
        : 'Nothing found yet: search further back.',
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
    ...(lead.isUnreadable ? ['unreadable'] : []),
    ...(lead.isHeld ? ['held by a cap'] : []),
    ...(lead.isReturned ? ['returned'] : []),
    ...(lead.isVerified === false ? ['address not verified'] : []),
    ...lead.signals.map(describeSignal),
  ],
})

/** Formats the number of leads, as in `10,000+ leads` if not all were counted. */
function formatCount({ matches: { count, isAll } }: ListedLeads): string {
  if (isAll) return pluralize(count, 'lead')
  return count === 0 ? 'None found so far' : `${count.toLocaleString('en-US')}+ leads`
}
