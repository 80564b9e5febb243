import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { formatQueryString, makeFilterFields, parsePageFilter } from '#console/leads/read-filter.ts'
import { readForm } from '#console/requests/read-form.ts'
import { showError } from '#console/requests/render-pages.tsx'
import {
  type Affiliate,
  type AffiliateErrors,
  type AffiliateFormValues,
  affiliateFields,
  toAffiliateFormValues,
} from '#domain/affiliate/affiliate.ts'
import { maskAffiliateId } from '#domain/lead/mask-lead.ts'
import { hidden } from '#domain/lead/personal-values.ts'
import type { FunnelRange } from '#domain/measuring/funnel.ts'
import { makeComparedPeriods } from '#domain/measuring/periods.ts'
import { makeFieldMessage, makeSuccessMessage } from '#domain/operator/messages.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { readComparedScorecards, readScorecards } from '#server/measuring/read-scorecards.ts'
import { authorize } from '#server/operators/authorize.ts'
import { AffiliatePage, RemoveAffiliatePage } from './affiliate-page.tsx'
import { AffiliatesPage } from './affiliates-page.tsx'

const path = '/affiliates'

/** The page shows at most this many ids without an affiliate. */
const maxUnknownIds = 25

const emptyTexts: AffiliateFormValues = { name: '', ids: '', payout: '', postback: '', notes: '' }

/** The typed values and the errors of a form that the server refused. */
interface RefusedAffiliate {
  readonly typed: AffiliateFormValues
  readonly errors: AffiliateErrors
}

export function affiliateRoutes(services: ConsoleServices) {
  const { store, affiliates, flash, clock } = services
  const { funnel } = store.forConsole
  /** Makes the props and the HTTP status that the list and an affiliate's page share. */
  const makePage = (c: ConsoleContext, refused: RefusedAffiliate | undefined) => {
    const { faults, given, ...period } = parsePeriod(c, clock())
    const heading = 'The filter has an error: the page shows the last 30 days instead'
    const periodMessage = hasErrors(faults) ? makeFieldMessage(faults, heading) : undefined
    const message = refused ? makeFieldMessage(refused.errors) : periodMessage
    const status = refused ? 422 : hasErrors(faults) ? 400 : 200
    return { props: period, message, status, given } as const
  }

  const showList = async (c: ConsoleContext, refused?: RefusedAffiliate) => {
    const { props, message, status, given } = makePage(c, refused)
    const query = formatQueryString(given)
    const all = await affiliates.list(c.get('actor'))
    const { affiliates: found, unknown } = await readScorecards(funnel, all, props.range)
    const page = (
      <AffiliatesPage
        {...props}
        typed={refused?.typed ?? emptyTexts}
        rows={found.map((row) => ({
          ...row,
          href: `${path}/${row.affiliate.id}${query && `?${query}`}`,
          shownIds: row.affiliate.ids.map(maskShownId),
          leadsQuery: makeLeadsQuery(row.affiliate.ids, props.range),
        }))}
        unknown={unknown.slice(0, maxUnknownIds).map(({ id, figures, isPersonal }) => {
          const shownId = isPersonal ? hidden : maskShownId(id)
          const isShown = !isPersonal && maskAffiliateId(id) === id
          const leadsQuery = isShown ? makeLeadsQuery([id], props.range) : undefined
          return { figures, shownId, id: isShown ? id : undefined, leadsQuery }
        })}
        moreUnknown={Math.max(0, unknown.length - maxUnknownIds)}
      />
    )
    return c.render(page, message, status)
  }

  const showOne = async (c: ConsoleContext, affiliate: Affiliate, refused?: RefusedAffiliate) => {
    const { props, message, status, given } = makePage(c, refused)
    const page = (
      <AffiliatePage
        {...props}
        affiliate={affiliate}
        shownIds={affiliate.ids.map(maskShownId)}
        typed={refused?.typed ?? toAffiliateFormValues(affiliate)}
        {...(await readComparedScorecards(funnel, affiliate, props))}
        leadsQuery={makeLeadsQuery(affiliate.ids, props.range)}
        funnelQuery={makeFunnelQuery(affiliate.ids, given)}
        duplicatesShown={isAllowed(c.get('actor').role, 'reveal a lead')}
      />
    )
    return c.render(page, message, status)
  }

  /** Saves the posted affiliate, or shows the form with errors. @param known the affiliate to change */
  const save = async (c: ConsoleContext, known?: Affiliate) => {
    const typed = await readForm(c, ...affiliateFields, 'withoutMacro')
    const withoutMacro = typed.withoutMacro !== ''
    const parsed = affiliates.parse(typed, { known, withoutMacro })
    const { errors, id } = hasErrors(parsed.errors)
      ? { ...parsed, id: '' }
      : await affiliates.save(c.get('actor'), parsed.details, known, withoutMacro)
    if (hasErrors(errors)) {
      const refused = { typed, errors }
      return known ? showOne(c, known, refused) : showList(c, refused)
    }
    const message = makeSuccessMessage(known ? 'Affiliate saved' : 'Affiliate added')
    return flash.redirect(c, `${path}/${id}`, message)
  }

  const withAffiliate = async (
    c: ConsoleContext,
    show: (c: ConsoleContext, affiliate: Affiliate) => Promise<Response>,
  ) => {
    // `affiliates.find` would also accept an affiliate id from links, which may be a person's email address.
    const all = await affiliates.list(c.get('actor'))
    const affiliate = all.find(({ id }) => id === c.req.param('id'))
    return affiliate
      ? show(c, affiliate)
      : showError(c, 'Affiliate not found', 'The affiliate doesn’t exist or was removed.', 404)
  }

  const authorizeChange = createMiddleware<ConsoleEnv>((c, next) => {
    authorize(c.get('actor'), 'change affiliates', clock())
    return next()
  })

  return new Hono<ConsoleEnv>()
    .get(path, (c) => showList(c))
    .post(path, authorizeChange, (c) => save(c))
    .get(`${path}/:id`, (c) => withAffiliate(c, showOne))
    .post(`${path}/:id`, authorizeChange, (c) => withAffiliate(c, save))
    .get(`${path}/:id/remove`, authorizeChange, (c) =>
      withAffiliate(c, async (_, affiliate) => {
        const removal = await affiliates.previewRemoval(c.get('actor'), affiliate)
        const shownIds = affiliate.ids.map(maskShownId)
        const page = { affiliate, shownIds, removal }
        return c.render(<RemoveAffiliatePage {...page} />)
      }),
    )
    .post(`${path}/:id/remove`, authorizeChange, (c) =>
      withAffiliate(c, async (_, affiliate) => {
        const due = await affiliates.remove(c.get('actor'), affiliate)
        const text =
          due === 0
            ? 'Its caps held no lead.'
            : `Its caps held ${pluralize(due, 'lead')}. Within a second, the workers send those that no other cap holds.`
        const heading = `Affiliate removed: ${affiliate.name}`
        return flash.redirect(c, path, makeSuccessMessage(heading, text))
      }),
    )
}

const hasErrors = (errors: object): boolean => Object.keys(errors).length > 0

/** Reads the period from the URL. The page uses the default period if the URL's period is invalid. */
function parsePeriod(c: ConsoleContext, now: number) {
  const { given, values, faults } = parsePageFilter({}, c.req.query())
  const { from, to } = values
  if (from !== undefined && from >= now) faults.from = 'This day has not begun.'
  const definitions = {
    from: { label: 'Received from', type: 'date' as const },
    to: { label: 'Received to', type: 'date' as const },
  }
  const fields = makeFilterFields(definitions, given, faults)
  return {
    ...makeComparedPeriods(hasErrors(faults) ? {} : { from, to }, 'days', now),
    faults,
    given: hasErrors(faults) ? {} : given,
    filter: { action: c.req.path, fields, isFiltered: c.req.url.includes('?') },
  }
}

/** Masks an affiliate id that may be a person's email address, because anybody can put one into a link. */
const maskShownId = (id: string): string => escapeInvisible(maskAffiliateId(id))

/** Makes the query string of `/funnel`; undefined if the affiliate has several ids or a masked id. */
function makeFunnelQuery(
  [id, ...others]: readonly string[],
  period: Readonly<Record<string, string>>,
): string | undefined {
  const isShown = id !== undefined && others.length === 0 && maskAffiliateId(id) === id
  return isShown ? formatQueryString({ affiliate: id, by: 'campaign', ...period }) : undefined
}

/** Makes the query string of `/leads`; undefined if the affiliate has no id or a masked id. */
function makeLeadsQuery(ids: readonly string[], { since, until }: FunnelRange): string | undefined {
  if (ids.length === 0 || ids.some((id) => maskAffiliateId(id) !== id)) return undefined
  return new URLSearchParams([
    ...ids.map((id) => ['affiliate', id]),
    ['from', new Date(since).toISOString()],
    ['to', new Date(until).toISOString()],
  ]).toString()
}
