import { type Context, Hono } from 'hono'
import { etag } from 'hono/etag'
import { createMiddleware } from 'hono/factory'
import { renderToStaticMarkup } from 'react-dom/server'
import * as v from 'valibot'
import { areaButton, attributionField } from '#contract/api-constants.ts'
import {
  type Area,
  areaDefinitions,
  areaIdPattern,
  areaPath,
  areas,
  parseArea,
} from '#domain/area.ts'
import { findOfferedPrograms, findProgram, type Program } from '#domain/catalogue/catalogue.ts'
import { emptyEnquiry, thankYouStep } from '#domain/enquiry/enquiry.ts'
import { readVisitAttribution } from '#server/enquiries/attribution.ts'
import { limitBody, refuseEncodedBody } from '#server/platform/http/request-body.ts'
import { hasGpcHeader, toRequestHead } from '#server/platform/http/request-head.ts'
import type { EnquiryProps, PostedFormResult } from '#site/enquiry/form-state.ts'
import { makeDocumentTitle, renderHtml } from '#site/shell/document.tsx'
import type { SiteServices } from '#site/site-services.ts'
import { type LinkedProgram, UnhydratedField } from './enquiry-island.tsx'
import { LandingPage } from './landing-page.tsx'
import { postEnquiry, programParam, receivedLeadParam } from './post-enquiry.ts'

/** The id must be a UUID before it reaches the database, because PostgreSQL refuses texts with a NUL. */
const receivedId = v.fallback(v.optional(v.pipe(v.string(), v.uuid())), undefined)

const paths = ['/', `/:id{${areaIdPattern}}`]

export function landingRoutes(services: SiteServices) {
  const { cache, context, programs, pixels, currentYear, disclosureId } = services

  /** Reads from the request what the page shows. */
  const readPage = (c: Context, posted?: PostedFormResult) => {
    const head = toRequestHead(c)
    const area = parseArea(c.req.param('id'))
    const pageContext = context(head)
    const catalogue = programs()
    const linked = findLinkedProgram(c, area, catalogue)
    // A browser that asks not to sell data gets no pixel (reading 17).
    const notToSell = hasGpcHeader(head)
    const pixelUrl = notToSell ? '' : pixels[areaDefinitions[area].pixel]
    const form: EnquiryProps = {
      area,
      programs: findOfferedPrograms(catalogue, area),
      currentYear: currentYear(),
      title: makeDocumentTitle(pageContext.texts.areas[area].title, pageContext),
      school: pageContext.names.school,
      operator: pageContext.names.operator,
      disclosure: { html: pageContext.texts.shared.disclosure.html, id: disclosureId() },
      promise: pageContext.texts.shared.promise,
      responseTime: pageContext.texts.shared.responseTime,
      telephone: pageContext.texts.shared.telephone,
      ...(pixelUrl === '' ? {} : { pixelUrl }),
      ...(linked?.kind === 'offered' ? { wantedProgram: linked.program.id } : {}),
      ...(posted ? { posted } : {}),
    }
    return {
      context: pageContext,
      form,
      notToSell,
      catalogue,
      // After sending, only the thank-you screen uses the program id in the page's URL.
      linked: posted?.leadId === undefined ? linked : undefined,
    }
  }

  const sendUncached = (c: Context, html: string, status: 200 | 422 | 429 | 503 = 200) => {
    c.header('Cache-Control', 'private, no-cache')
    return c.html(html, status)
  }

  return new Hono()
    .on('GET', paths, etag(), async (c) => {
      const leadId = v.parse(receivedId, c.req.query(receivedLeadParam))
      const affiliate = leadId === undefined ? undefined : await services.affiliateOf(leadId)
      if (affiliate !== undefined) {
        const enquiry = { ...emptyEnquiry, step: thankYouStep }
        const programId = c.req.query(programParam)
        const page = readPage(c, { enquiry, errors: {}, leadId, ...affiliate, programId })
        const { pixelUrl: _, ...uncounted } = page.form
        const isCounted = services.thankYouCookie.consume(c) === leadId
        const form = isCounted ? page.form : uncounted
        return sendUncached(c, renderHtml(<LandingPage {...page} form={form} attribution="" />))
      }
      const head = toRequestHead(c)
      const page = readPage(c)
      const { form, linked } = page
      // The key contains only the parts of the URL that change the form, so that the cache needs few pages.
      const linkedId = linked?.kind === 'unknown' ? linked.kind : linked?.program.id
      const key = [form.area, form.currentYear, page.notToSell, linkedId].join()
      const { searchParams } = new URL(c.req.url)
      const { siteOrigin } = page.context
      const { clickIdParam } = services.settings
      const attribution = readVisitAttribution(head, searchParams, siteOrigin, clickIdParam)
      return cache.send(
        c,
        siteOrigin,
        key,
        () => renderHtml(<LandingPage {...page} attribution="" />),
        attribution === '' ? undefined : (html) => fillInAttribution(html, attribution),
      )
    })
    .on(
      'POST',
      paths,
      refuseEncodedBody((c) => c.text('Send the form without a Content-Encoding.', 415)),
      limitBody((c) => c.text('The form is too large.', 413)),
      leadToOtherArea,
      (c) =>
        postEnquiry(services, c, (posted, attribution, status) => {
          const page = <LandingPage {...readPage(c, posted)} attribution={attribution} />
          return sendUncached(c, renderHtml(page), status)
        }),
    )
}

/**
 * Leads a form whose visitor has chosen another area, with its answers, to that area's page. The page's query comes along,
 * because without cookies only the query names the affiliate.
 */
const leadToOtherArea = createMiddleware(async (c, next) => {
  const form: Record<string, unknown> = await c.req.parseBody().catch(() => ({}))
  const chosen = form[areaButton]
  const area = typeof chosen === 'string' ? parseArea(chosen) : undefined
  if (area === undefined || area === parseArea(c.req.param('id'))) return next()
  const { searchParams } = new URL(c.req.url)
  for (const name of [programParam, receivedLeadParam]) searchParams.delete(name)
  // Unlike the other redirects, 307 lets the browser post the form again.
  return c.redirect(`${areaPath(area)}${searchParams.size > 0 ? `?${searchParams}` : ''}`, 307)
})

const fillInAttribution = (page: string, attribution: string): string =>
  page.replace(renderAttributionField(''), () => renderAttributionField(attribution))

const renderAttributionField = (value: string): string =>
  renderToStaticMarkup(<UnhydratedField name={attributionField} value={value} />)

/** Finds the program that the page's URL names. A URL with several programs names none of them. */
function findLinkedProgram(
  c: Context,
  area: Area,
  catalogue: readonly Program[],
): LinkedProgram | undefined {
  const [id, ...others] = new Set((c.req.queries(programParam) ?? []).filter(Boolean))
  if (id === undefined) return undefined
  const only = others.length > 0 ? undefined : id
  const offered = findProgram(findOfferedPrograms(catalogue, area), only)
  if (offered) return { kind: 'offered', program: offered }
  const program = findProgram(catalogue, only)
  const home = areas.find((other) => areaDefinitions[other].programType === program?.types[0])
  return program && home ? { kind: 'elsewhere', program, area: home } : { kind: 'unknown' }
}
