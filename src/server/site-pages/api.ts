import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import {
  type AddressValidationReply,
  addressValidationRequestSchema,
  type ZipLookupReply,
} from '#contract/lookups.ts'
import type { FieldProblem } from '#contract/problem.ts'
import { type ProgramItem, programsQuerySchema } from '#contract/program-list.ts'
import { maxReportBytes } from '#contract/visit-report.ts'
import { educationLevels, isProgramOpenTo, type Program } from '#domain/catalogue/catalogue.ts'
import type { AddressServices } from '#domain/enquiry/address.ts'
import { startDates } from '#domain/enquiry/rules.ts'
import type { RateLimits } from '#server/enquiries/rate-limits.ts'
import { addressServiceDownMessage } from '#server/lookups/address-services.ts'
import type { VisitReports } from '#server/measuring/visit-reports.ts'
import type { IsSameOrigin } from '#server/platform/http/origin.ts'
import { problemReply, type Reply, sendProblem, sendReply } from '#server/platform/http/replies.ts'
import { limitBody, maxBodyBytes, refuseEncodedBody } from '#server/platform/http/request-body.ts'
import { type RequestHead, toRequestHead } from '#server/platform/http/request-head.ts'
import type { VisitorIp } from '#server/platform/http/visitor-ip.ts'
import type { XsrfProtection } from './cookies.ts'
import type { LeadHandler } from './lead-handler.ts'

type Read<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly reply: Reply }

/** Parses a JSON body with a schema, or answers with 415, 400 or 422. */
export function parseRequest<Schema extends v.GenericSchema>(
  head: RequestHead,
  body: string,
  schema: Schema,
  nameOf?: (issue: v.BaseIssue<unknown>) => string,
): Read<v.InferOutput<Schema>> {
  if (!/^application\/json\s*(;|$)/i.test(head.header('content-type') ?? '')) {
    return { ok: false, reply: problemReply(415, 'Send JSON, as application/json.') }
  }
  const json = parseJson(body)
  if (json === undefined) return { ok: false, reply: problemReply(400, 'The body is not JSON.') }
  const result = v.safeParse(schema, json)
  return result.success
    ? { ok: true, value: result.output }
    : { ok: false, reply: makeUnprocessableReply(toFieldProblems(result.issues, nameOf)) }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

export const makeUnprocessableReply = (errors: readonly FieldProblem[]): Reply =>
  problemReply(422, 'Some values need to be corrected: see errors.', { errors })

const toFieldProblems = (
  issues: readonly v.BaseIssue<unknown>[],
  nameOf: (issue: v.BaseIssue<unknown>) => string = (issue) => v.getDotPath(issue) ?? 'body',
): FieldProblem[] => issues.map((issue) => ({ field: nameOf(issue), message: describeRule(issue) }))

function describeRule({ message, received, expected }: v.BaseIssue<unknown>): string {
  // Messages that begin with "Invalid" are valibot's own and quote the received value; other messages come from the
  // schema.
  if (!message.startsWith('Invalid ')) return message
  // For a missing key, valibot reports the quoted key as the expected value.
  return received === 'undefined' ? 'must be given' : `must be ${expected ?? 'something else'}`
}

export interface ApiDependencies {
  readonly visitReports: VisitReports
  readonly affiliateId: (c: Context) => string | undefined
  readonly programs: () => readonly Program[]
  readonly addressServices: AddressServices
  readonly leadCall: LeadHandler
  /** Returns the IP address as a lead would contain it (reading 9). */
  readonly lookUpIp: (ip: string) => Promise<string>
  readonly isSameOrigin: IsSameOrigin
  readonly requireToken: XsrfProtection['require']
  readonly visitorIp: VisitorIp
  readonly limitLookups: RateLimits['limitLookups']
}

/** API paths that call a third party, which may cost the operator money. */
const paidPaths = ['/zip-lookups/*', '/address-validations', '/ip-address']

/** Our own API: JSON in and out, errors as problem+json. */
export function apiRoutes(ports: ApiDependencies) {
  const { programs, addressServices } = ports
  return new Hono()
    .use(async (c, next) => {
      await next()
      // `c.header` would replace a finished response by a response with a streamed body, which is sent in pieces.
      c.res.headers.set('Cache-Control', 'no-store')
    })
    .use(async (c, next) =>
      ports.isSameOrigin(toRequestHead(c))
        ? next()
        : sendProblem(c, 403, 'This API answers only the pages of its own site.'),
    )
    .post('/events', (c) => handleVisitReport(c, ports))
    .use(ports.requireToken)
    .use(refuseEncodedBody((c) => sendProblem(c, 415, 'Send the body without a Content-Encoding.')))
    .use(limitBody((c) => sendProblem(c, 413, `Send at most ${maxBodyBytes} bytes.`)))
    .on(['GET', 'POST'], paidPaths, ports.limitLookups)
    .get('/programs', (c) => {
      const query = v.safeParse(programsQuerySchema, c.req.query())
      if (!query.success) return sendReply(c, makeUnprocessableReply(toFieldProblems(query.issues)))
      const { skip, take, active, type, educationLevel } = query.output
      const found = programs().filter(
        (program) =>
          (active === undefined || program.active === active) &&
          (type === undefined || program.types.includes(type)) &&
          (educationLevel === undefined || isProgramOpenTo(program, educationLevel)),
      )
      const items = found.slice(skip, skip + take).map(toProgramItem)
      return c.json({ items, total: found.length, skip, take })
    })
    .get('/education-levels', (c) => c.json(educationLevels))
    .get('/start-dates', (c) => c.json(startDates))
    .get('/zip-lookups/:zip', async (c) => {
      const zip = c.req.param('zip')
      if (!/^\d{5}$/.test(zip)) {
        return sendReply(c, makeUnprocessableReply([{ field: 'zip', message: 'Enter 5 digits.' }]))
      }
      try {
        return c.json((await addressServices.lookUpZip(zip)) satisfies ZipLookupReply)
      } catch {
        return sendProblem(c, 503, addressServiceDownMessage)
      }
    })
    .post('/address-validations', async (c) => {
      const body = parseRequest(
        toRequestHead(c),
        await c.req.text(),
        addressValidationRequestSchema,
      )
      if (!body.ok) return sendReply(c, body.reply)
      try {
        const { address, zip } = body.value
        const { postalAddress, doubts } = await addressServices.validateAddress(address, zip)
        return c.json({
          result: { address: { postalAddress }, ...(doubts.length > 0 ? { doubts } : {}) },
        } satisfies AddressValidationReply)
      } catch {
        return sendProblem(c, 503, addressServiceDownMessage)
      }
    })
    .get('/ip-address', async (c) =>
      c.json({ IPv4: await ports.lookUpIp(ports.visitorIp(toRequestHead(c))) }),
    )
    .post('/leads', async (c) =>
      sendReply(c, await ports.leadCall(toRequestHead(c), await c.req.text())),
    )
    .all('*', (c) => sendProblem(c, 404, 'The API has no such call.'))
}

/** Takes a report of a visit. Beacons carry no header, so the route comes before the token's check. */
async function handleVisitReport(
  c: Context,
  { visitReports, affiliateId }: ApiDependencies,
): Promise<Response> {
  const head = toRequestHead(c)
  const isShort = Number(head.header('content-length') ?? Number.NaN) <= maxReportBytes
  if (isShort) visitReports.take(head, await c.req.text(), affiliateId(c))
  return c.body(null, 204)
}

const toProgramItem = ({ id, name, active, types, degreeType }: Program): ProgramItem => ({
  id,
  name,
  ...(active ? { active } : {}),
  types,
  degreeType,
})
