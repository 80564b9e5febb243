import { LeadsPage } from '#console/leads/leads-page.tsx'
import type { SavedViewsProps } from '#console/leads/saved-views.tsx'
import { html } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { type Action, isAllowed } from '#domain/operator/rights.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import { SearchEndedError } from '#server/leads/search-leads.ts'
import type { ConsoleContext, ConsoleParts } from '../console-env.ts'
import { chosenColumns } from './chosen-columns.ts'
import { filterForm } from './filter-form.ts'
import { leadList } from './lead-list.ts'
import {
  invalidPlace,
  nothingToSearch,
  searchEndedMessage,
  unknownFilter,
  wrongFilter,
} from './lead-notices.ts'
import {
  hasValidFilter,
  hiddenFields,
  leadsAddress,
  parsePlace,
  type RequestedLeads,
} from './leads-address.ts'

/** The message and the typed text of a form that the server refused. */
interface Refused {
  readonly message?: Message | undefined
  readonly search?: string | undefined
  readonly view?: SavedViewsProps['typed']
}

const pageSize = 50

/** Shows the list of leads, with the errors of a refused form. */
export const showLeads =
  ({ shellOf, notice, browseLeads, manageViews, programs, siteOrigin }: ConsoleParts) =>
  async (c: ConsoleContext, asked: RequestedLeads, refused: Refused = {}) => {
    const { read, address, cursor, unknownName } = asked
    const after = cursor === undefined ? undefined : parsePlace(cursor)
    const actor = c.get('actor')
    const mayDo = (action: Action) => isAllowed(actor.role, action)
    const found = await find()
    const { list } = found
    const message = found.message ?? refused.message
    const shell = shellOf(c)
    const { token } = shell
    const views = await manageViews.list(actor)
    const page = (
      <LeadsPage
        shell={shell}
        said={message ?? notice.take(c)}
        site={siteOrigin}
        search={{
          findsPeople: mayDo('search for a person'),
          query: address.query,
          endSearch: address.searchId ? leadsAddress({ query: address.query }) : undefined,
          unsearched: describeUnsearched(found.unsearched),
          typed: refused.search,
          problem: message?.fields?.search,
        }}
        filter={filterForm(asked, programs(), mayDo('reveal a lead'))}
        list={list}
        views={{
          token,
          views: views.map(({ id, operatorId, name, query, isShared }) => ({
            id,
            name: escapeInvisible(name),
            address: leadsAddress({ query }),
            isShown: query === address.query && address.searchId === undefined,
            mayRemove: operatorId === actor.id || mayDo('remove others’ views'),
            isShared,
          })),
          query: hasValidFilter(asked) ? address.query : '',
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
                confirmFor: shell.confirmFor,
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
        readonly unsearched?: number | undefined
      }
    > {
      if (unknownName !== undefined) return { message: unknownFilter(unknownName) }
      if (!hasValidFilter(asked)) return { message: wrongFilter(read.faults) }
      if (cursor !== undefined && after === undefined) return { message: invalidPlace }
      const { searchId } = address
      if (searchId === '') return { message: nothingToSearch(mayDo('search for a person')) }
      try {
        const order = { filter: read.filter, searchId, after, take: pageSize }
        const browsed = await browseLeads(actor, order)
        const list = leadList(browsed, {
          address,
          isFirst: after === undefined,
          findsPeople: mayDo('search for a person'),
          isToSettle: read.filter.restored.length > 0 && mayDo('settle deliveries'),
        })
        return { list, unsearched: browsed.unsearched }
      } catch (error) {
        if (error instanceof SearchEndedError) return { message: searchEndedMessage }
        throw error
      }
    }
  }

const describeUnsearched = (unsearched = 0): string | undefined =>
  unsearched === 0
    ? undefined
    : `${unsearched.toLocaleString('en-US')} that cannot be read were searched by email alone.`
