import { Hono } from 'hono'
import { AffiliatePage } from '#console/affiliates/affiliate-page.tsx'
import { AffiliatesPage } from '#console/affiliates/affiliates-page.tsx'
import { renderHtml } from '#console/render.ts'
import {
  type Affiliate,
  type AffiliateErrors,
  type AffiliateTexts,
  affiliateFields,
  parseAffiliate,
  toAffiliateTexts,
} from '#domain/affiliate/affiliate.ts'
import { parseLeadFilter } from '#domain/lead/lead-filter.ts'
import { maskAffiliate } from '#domain/lead/mask-lead.ts'
import type { FunnelRange } from '#domain/measuring/funnel.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import { makePeriod, readScorecard, readScorecards } from '#server/measuring/scorecard.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '../console-env.ts'
import { makeFieldErrors, readForm } from '../read-form.ts'

const path = '/affiliates'

/** How many ids without an affiliate the page shows. */
const maxUnknown = 25

const emptyTexts: AffiliateTexts = { name: '', ids: '', payout: '', postback: '', notes: '' }

/** A form that was refused, with the values as typed. */
interface Refused {
  readonly typed: AffiliateTexts
  readonly errors: AffiliateErrors
}

export function affiliateRoutes(services: ConsoleServices) {
  const { store, affiliates, caps, shellOf, notice, showMessage, clock } = services
  const { funnel } = store.forConsole
  /** What the list and an affiliate's page have in common. */
  const makePage = (c: ConsoleContext, refused: Refused | undefined) => {
    const { faults, ...period } = parsePeriod(c, clock())
    const isWrong = Object.keys(faults).length > 0
    const heading = 'The filter has an error: the page shows the last 30 days instead'
    const problem = isWrong ? { kind: 'problem' as const, heading, fields: faults } : notice.take(c)
    return {
      status: refused ? (422 as const) : isWrong ? (400 as const) : (200 as const),
      props: {
        ...{ ...period, shell: shellOf(c) },
        message: refused ? makeFieldErrors(refused.errors) : problem,
      },
    }
  }

  const showList = async (c: ConsoleContext, refused?: Refused) => {
    const { props, status } = makePage(c, refused)
    const all = await affiliates.list(c.get('actor'))
    const { affiliates: found, unknown } = await readScorecards(funnel, all, props.range)
    const page = (
      <AffiliatesPage
        {...props}
        typed={refused?.typed ?? emptyTexts}
        rows={found.map((row) => ({
          ...row,
          shownIds: row.affiliate.ids.map(showId),
          leadsQuery: makeLeadsQuery(row.affiliate.ids, props.range),
        }))}
        unknown={unknown.slice(0, maxUnknown).map(({ id, figures }) => ({
          ...{ figures, shownId: showId(id), id: maskAffiliate(id) === id ? id : undefined },
          leadsQuery: makeLeadsQuery([id], props.range),
        }))}
        moreUnknown={Math.max(0, unknown.length - maxUnknown)}
      />
    )
    return c.html(renderHtml(page), status)
  }

  const showOne = async (c: ConsoleContext, affiliate: Affiliate, refused?: Refused) => {
    const { props, status } = makePage(c, refused)
    const page = (
      <AffiliatePage
        {...props}
        affiliate={affiliate}
        shownIds={affiliate.ids.map(showId)}
        typed={refused?.typed ?? toAffiliateTexts(affiliate)}
        now={await readScorecard(funnel, affiliate, props.range)}
        earlier={await readScorecard(funnel, affiliate, props.before)}
        leadsQuery={makeLeadsQuery(affiliate.ids, props.range)}
        funnelQuery={makeFunnelQuery(affiliate.ids)}
        duplicatesShown={isAllowed(c.get('actor').role, 'reveal a lead')}
      />
    )
    return c.html(renderHtml(page), status)
  }

  /** Saves the posted affiliate, or shows the form again. @param known the affiliate to change */
  const save = async (c: ConsoleContext, known?: Affiliate) => {
    const typed = await readForm(c, ...affiliateFields)
    const parsed = parseAffiliate(typed)
    const { errors, id } = hasErrors(parsed)
      ? { ...parsed, id: '' }
      : await affiliates.save(c.get('actor'), parsed.details, known)
    if (hasErrors({ errors })) {
      const refused = { typed, errors }
      return known ? showOne(c, known, refused) : showList(c, refused)
    }
    const heading = known ? 'Affiliate saved' : 'Affiliate added'
    return notice.redirect(c, `${path}/${id}`, { kind: 'well', heading })
  }

  const withAffiliate = async (
    c: ConsoleContext,
    show: (c: ConsoleContext, affiliate: Affiliate) => Promise<Response>,
  ) => {
    // `affiliates.find` also takes an id of a link, which may be a person's address: an answer would confirm it.
    const all = await affiliates.list(c.get('actor'))
    const affiliate = all.find(({ id }) => id === c.req.param('id'))
    return affiliate
      ? show(c, affiliate)
      : showMessage(c, 'Affiliate not found', 'This affiliate doesn’t exist or was removed.', 404)
  }

  const authorizeChange = (c: ConsoleContext) =>
    authorize(c.get('actor'), 'change affiliates', clock())

  return new Hono<ConsoleEnv>()
    .get(path, (c) => showList(c))
    .post(path, (c) => {
      authorizeChange(c)
      return save(c)
    })
    .get(`${path}/:id`, (c) => withAffiliate(c, showOne))
    .post(`${path}/:id`, (c) => {
      authorizeChange(c)
      return withAffiliate(c, save)
    })
    .post(`${path}/:id/remove`, (c) => {
      authorizeChange(c)
      return withAffiliate(c, async (_, affiliate) => {
        await caps.removeOfAffiliate(c.get('actor'), affiliate.id)
        await affiliates.remove(c.get('actor'), affiliate)
        const heading = `Affiliate removed: ${affiliate.name}`
        return notice.redirect(c, path, { kind: 'well', heading })
      })
    })
}

const hasErrors = ({ errors }: Pick<Refused, 'errors'>) => Object.keys(errors).length > 0

/** Reads the period of an address. With a fault it is the default period. */
function parsePeriod(c: ConsoleContext, now: number) {
  const isPeriod = (name: string) => name === 'from' || name === 'to'
  const parsed = parseLeadFilter((name) => (isPeriod(name) ? (c.req.queries(name) ?? []) : []))
  const { since, until } = parsed.filter
  const isFuture = since !== undefined && since >= now
  const faults = { ...(isFuture && { from: 'This day has not begun.' }), ...parsed.faults }
  const isWrong = Object.keys(faults).length > 0
  const fields = (['from', 'to'] as const).map((name) => ({
    ...{ name, label: `Received ${name}`, type: 'date' as const },
    ...{ value: parsed.given[name][0] ?? '', problem: faults[name] },
  }))
  return {
    ...(isWrong ? makePeriod(undefined, undefined, now) : makePeriod(since, until, now)),
    ...{ faults, filter: { action: c.req.path, fields, isFiltered: c.req.url.includes('?') } },
  }
}

/** Anybody can put a person's email address into a link. */
const showId = (id: string): string => escapeInvisible(maskAffiliate(id))

/** The query of the page Funnel for an affiliate's id; undefined with several ids, and if the id has to be masked. */
function makeFunnelQuery([id, ...others]: readonly string[]): string | undefined {
  const isShown = id !== undefined && others.length === 0 && maskAffiliate(id) === id
  return isShown ? new URLSearchParams({ affiliate: id, by: 'campaign' }).toString() : undefined
}

/** The query of the list with the leads of ids; undefined without an id, and if one has to be masked. */
function makeLeadsQuery(ids: readonly string[], { since, until }: FunnelRange): string | undefined {
  if (ids.length === 0 || ids.some((id) => maskAffiliate(id) !== id)) return undefined
  return new URLSearchParams([
    ...ids.map((id) => ['affiliate', id]),
    ['from', new Date(since).toISOString()],
    ['to', new Date(until).toISOString()],
  ]).toString()
}
