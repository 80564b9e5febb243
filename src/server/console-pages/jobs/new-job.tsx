import { Hono } from 'hono'
import { ActPage, type ActProblem } from '#console/jobs/act-page.tsx'
import { html } from '#console/render.ts'
import { bulkActions, isBulkAction, rightFor } from '#domain/job/bulk-action.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { counted } from '#domain/text/counted.ts'
import type { LeadCount } from '#server/leads/list/lead-finder.ts'
import { SearchEndedError } from '#server/leads/list/searched-keys.ts'
import type { ConsoleContext, ConsoleEnv } from '../console-env.ts'
import { filterInWords } from '../leads/filter-in-words.ts'
import { leadsAddress } from '../leads/leads-address.ts'
import { type AskedForLeads, isMeant, readAddressIn, readAddressOf } from '../leads/read-address.ts'
import { readForm } from '../read-form.ts'
import type { JobsPorts } from './jobs-ports.ts'

interface Shown {
  readonly problem?: ActProblem
  readonly chosen?: string
  readonly count?: LeadCount
}

/** What is to be done to the leads of a filter, and the plan of it. */
export function newJob({
  shellOf,
  may,
  manageJobs,
  programs,
  nameGroups,
}: Omit<JobsPorts, 'notice' | 'archive'>) {
  const show = async (
    c: ConsoleContext,
    { address, read }: AskedForLeads,
    { problem, chosen = 'retry', count }: Shown,
  ) => {
    const actor = c.get('actor')
    const words =
      Object.keys(read.faults).length > 0
        ? []
        : filterInWords(address.query, {
            programs: programs(),
            groups: await nameGroups(c.get('actor'), [address.query]),
          })
    const page = (
      <ActPage
        shell={shellOf(c)}
        filter={[...(address.searchId ? ['A person who was searched for'] : []), ...words]}
        query={address.query}
        searchId={address.searchId}
        leadsAddress={leadsAddress(address)}
        count={count && countInWords(count)}
        actions={bulkActions.filter((action) => isAllowed(actor.role, rightFor[action]))}
        chosen={isBulkAction(chosen) ? chosen : undefined}
        problem={problem}
      />
    )
    return c.html(html(page), problem === undefined ? 200 : 422)
  }
  const refuse = (c: ConsoleContext, asked: AskedForLeads, more: Shown) => {
    may(c.get('actor'), 'run jobs')
    return show(c, asked, more)
  }
  /** What stands in the way of any plan of it. */
  const faultOf = (asked: AskedForLeads): ActProblem | undefined => {
    if (!isMeant(asked)) return notMeant
    return asked.address.searchId === '' ? searchEnded : undefined
  }

  return new Hono<ConsoleEnv>()
    .get('/jobs/new', async (c) => {
      const asked = readAddressOf(c)
      try {
        const problem = faultOf(asked)
        if (problem !== undefined) return refuse(c, asked, { problem })
        const { query, searchId } = asked.address
        return show(c, asked, {
          count: await manageJobs.count(c.get('actor'), { query, searchId }),
        })
      } catch (error) {
        if (error instanceof SearchEndedError) return refuse(c, asked, { problem: searchEnded })
        throw error
      }
    })
    .post('/jobs', async (c) => {
      const { query, search, action, lacks } = await readForm(c, 'query', 'search', 'action')
      const given = readAddressIn(query)
      const searchId = search === '' ? undefined : search
      const { address } = given
      const asked = { ...given, address: { ...address, searchId }, cursor: undefined }
      const refused = (problem: ActProblem) => refuse(c, asked, { problem, chosen: action })
      const problem = lacks('query') ? notMeant : faultOf(asked)
      if (problem !== undefined) return refused(problem)
      if (!isBulkAction(action)) return refused(nothingChosen)
      try {
        const order = { action, query: address.query, searchId }
        const outcome = await manageJobs.plan(c.get('actor'), order)
        return outcome.kind === 'empty' ? refused(nobody) : c.redirect(`/jobs/${outcome.id}`, 303)
      } catch (error) {
        if (error instanceof SearchEndedError) return refused(searchEnded)
        throw error
      }
    })
}

const notMeant: ActProblem = {
  kind: 'problem',
  heading: 'The filter has an error',
  text: 'Nothing was planned. The list of leads shows which part is wrong.',
  isFinal: true,
}
const searchEnded: ActProblem = {
  kind: 'problem',
  heading: 'That search is over',
  text: 'It is kept for an hour, for who searched alone. Nothing was planned: search again.',
  isFinal: true,
}
const nothingChosen: ActProblem = {
  kind: 'problem',
  heading: 'Nothing was planned',
  fields: { action: 'Choose what is to be done.' },
}
const nobody: ActProblem = {
  kind: 'problem',
  heading: 'No lead matches',
  text: 'There is nothing to plan. Leave a part of the filter out.',
  isFinal: true,
}

function countInWords({ leads, isAll }: LeadCount): string {
  const said = counted(leads, 'lead')
  return isAll ? said : `${said} at least`
}
