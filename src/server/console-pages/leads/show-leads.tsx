import { LeadsPage } from '#console/leads/leads-page.tsx'
import type { SavedViewsProps } from '#console/leads/saved-views.tsx'
import { html } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { type Action, isAllowed } from '#domain/operator/rights.ts'
import type { NameGroups } from '#server/delivery/name-groups.ts'
import type { BrowsedLeads, BrowseOrder } from '#server/leads/browse-leads.ts'
import type { ManageViews } from '#server/leads/saved-views.ts'
import { SearchEndedError } from '#server/leads/search-leads.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import type { ConsoleContext } from '../console-env.ts'
import type { SessionNoticeCookie } from '../session-notice.ts'
import type { ShellOf } from '../shell-of.ts'
import { chosenColumns } from './chosen-columns.ts'
import { filterForm, type KnownProgram } from './filter-form.ts'
import { leadList } from './lead-list.ts'
import {
  nothingToSearch,
  otherFilterNotice,
  searchIsOver,
  unknownFilter,
  wrongFilter,
} from './lead-notices.ts'
import {
  hiddenFields,
  isValidRequest,
  leadsAddress,
  type RequestedLeads,
  readCursor,
} from './leads-address.ts'
import { viewLinks } from './view-links.ts'

/** The refused fields and the typed text. */
interface Refused {
  readonly message?: Message | undefined
  readonly search?: string | undefined
  readonly view?: SavedViewsProps['typed']
}

export interface ShowLeadsPorts {
  readonly shellOf: ShellOf
  readonly browseLeads: (actor: ConsoleActor, order: BrowseOrder) => Promise<BrowsedLeads>
  readonly notice: SessionNoticeCookie
  readonly manageViews: ManageViews
  /** Those on offer now. */
  readonly programs: () => readonly KnownProgram[]
  readonly nameGroups: NameGroups
  /** Undefined where it is not known. */
  readonly siteOrigin: string | undefined
}

const pageSize = 50

/** The list, with the error of an invalid form on it. */
export const showLeads = ({
  shellOf,
  notice,
  browseLeads,
  manageViews,
  programs,
  nameGroups,
  siteOrigin,
}: ShowLeadsPorts) => {
  return async (c: ConsoleContext, asked: RequestedLeads, refused: Refused = {}) => {
    const { read, address, cursor, unknownName } = asked
    const after = cursor === undefined ? undefined : readCursor(cursor, address)
    const mayDo = (action: Action) => isAllowed(c.get('actor').role, action)
    const found = await find()
    const { list } = found
    const message = found.message ?? refused.message
    const shell = shellOf(c)
    const { token } = shell
    const views = await manageViews.list(c.get('actor'))
    const page = (
      <LeadsPage
        shell={shell}
        said={message ?? notice.take(c)}
        site={siteOrigin}
        search={{
          findsPeople: mayDo('search for a person'),
          query: address.query,
          endSearch: address.searchId ? leadsAddress({ query: address.query }) : undefined,
          unsearched: describeUnsearched(found.browsed),
          typed: refused.search,
          problem: message?.fields?.search,
        }}
        filter={filterForm(
          asked,
          {
            programs: programs(),

            groups: await nameGroups(c.get('actor'), [address.query]),
          },
          mayDo('reveal a lead'),
        )}
        list={list}
        views={{
          token,
          views: viewLinks(views, { actor: c.get('actor'), address }),
          query: isValidRequest(asked) ? address.query : '',
          mayShare: mayDo('share a view'),
          typed: refused.view,
          problem: message?.fields?.name,
        }}
        acting={
          list && mayDo('run jobs') && list.rows.length > 0
            ? { parts: hiddenFields(address) }
            : undefined
        }
        columns={{
          token,
          shown: chosenColumns.read(c),
          query: address.query,
          searchId: address.searchId,
        }}
        exporting={
          list && mayDo('export leads') && list.rows.length > 0
            ? {
                token,
                action: '/leads/export',
                name: 'A file of these leads',
                query: address.query,
                searchId: address.searchId,
                confirmFor: shellOf(c).confirmFor,
                hint: 'Personal data. Recorded in the audit log.',
              }
            : undefined
        }
      />
    )
    return c.html(html(page), message === undefined ? 200 : 400)

    async function find(): Promise<
      Pick<Refused, 'message'> & {
        readonly list?: ReturnType<typeof leadList>
        readonly browsed?: BrowsedLeads
      }
    > {
      if (unknownName !== undefined) return { message: unknownFilter(unknownName) }
      if (!isValidRequest(asked)) return { message: wrongFilter(read.faults) }
      if (cursor !== undefined && after === undefined) return { message: otherFilterNotice }
      const { searchId } = address
      if (searchId === '') return { message: nothingToSearch(mayDo('search for a person')) }
      try {
        const order = { filter: read.filter, searchId, after, take: pageSize }
        const browsed = await browseLeads(c.get('actor'), order)
        const isFirst = after === undefined
        return {
          browsed,
          list: leadList(browsed, {
            address,
            isFirst,
            findsPeople: mayDo('search for a person'),
            isToSettle: read.filter.restored.length > 0 && mayDo('settle deliveries'),
          }),
        }
      } catch (error) {
        if (error instanceof SearchEndedError) return { message: searchIsOver }
        throw error
      }
    }
  }
}

function describeUnsearched(found: BrowsedLeads | undefined): string | undefined {
  const unsearched = found?.unsearched ?? 0
  if (unsearched === 0) return undefined
  return `${unsearched.toLocaleString('en-US')} that cannot be read were searched by email alone.`
}
