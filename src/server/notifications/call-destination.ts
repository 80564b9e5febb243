import type { Kysely, Selectable } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { findAffiliateClickId, findCampaign, findSource } from '#domain/lead/attribution.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { maskAffiliate, maskCampaign } from '#domain/lead/mask-lead.ts'
import type { Destination } from '#domain/notifications/notification.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import type { PlainLine } from '#domain/text/plain-line.ts'
import { fillPostback, type PostbackValues } from '#server/affiliates/postback-template.ts'
import {
  classifyMissingAnswer,
  type SendResult,
  toRetryHint,
} from '#server/delivery/distributor-reply.ts'
import { catchUnreadable } from '#server/leads/lead-payload.ts'
import { selectLeads, toLead } from '#server/leads/lead-row.ts'
import { type CallResult, type HttpCall, sendRequest } from '#server/platform/call/http-call.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

type Store = Kysely<StoreTables>
type WebhookRow = Selectable<StoreTables['webhooks']>

/** The news that a call brings. */
export type News = Pick<
  Selectable<StoreTables['notifications']>,
  'id' | 'lead_id' | 'event' | 'event_at' | 'event_reason'
>

interface Request extends Pick<HttpCall, 'method' | 'url' | 'headers' | 'body'> {
  /** Whether the call contains personal data, so that its reply is not kept. */
  readonly repliesMayQuoteLead?: boolean
}

export interface CallSettings {
  /** Milliseconds for a whole call. */
  readonly timeoutMs: number
  /** Whether http and private addresses are allowed, as in demo mode. */
  readonly allowsLocal: boolean
  readonly clock: () => number
}

/** The most bytes of a reply to read and keep. */
const keptReplyBytes = 4096

/** Calls a destination with the settings that it has now, and classifies its answer. */
export async function callDestination(
  db: Store,
  destination: Destination,
  news: News,
  { timeoutMs, allowsLocal, clock }: CallSettings,
  signal?: AbortSignal,
): Promise<SendResult> {
  const request = await makeRequest(db, destination, news, clock())
  if (request === undefined) return { outcome: { name: 'not-made', reason: 'unreadable' } }
  const { repliesMayQuoteLead, ...call } = request
  const result = await sendRequest({
    ...call,
    // A compressed reply could not be read in part.
    headers: { ...call.headers, 'accept-encoding': 'identity' },
    timeoutMs,
    isPublicOnly: !allowsLocal,
    keepBytes: keptReplyBytes,
    ...(signal && { signal }),
  })
  const { outcome, response } = classifyCall(result, clock())
  return { outcome, response: repliesMayQuoteLead ? undefined : response }
}

/** Any status from 200 to 299 accepts a notification; any other answer is worth another attempt. */
function classifyCall(result: CallResult, now: number): SendResult {
  if (result.kind === 'no-answer') return { outcome: classifyMissingAnswer(result) }
  const { status: httpStatus, headers } = result
  const text = result.kind === 'answered' ? escapeInvisible(result.body) : ''
  const response = (text || undefined) as PlainLine | undefined
  if (httpStatus >= 200 && httpStatus < 300) {
    return { outcome: { name: 'delivered', httpStatus }, response }
  }
  const hint = toRetryHint(headers, now)
  if ([408, 429, 503].includes(httpStatus)) {
    return { outcome: { name: 'busy', httpStatus, ...hint }, response }
  }
  const reason = httpStatus >= 500 ? 'server-error' : 'unknown-status'
  return { outcome: { name: 'broken', httpStatus, reason, ...hint }, response }
}

/** @returns undefined if the destination no longer exists, or if the lead is erased or cannot be read */
async function makeRequest(
  db: Store,
  { kind, id }: Destination,
  news: News,
  now: number,
): Promise<Request | undefined> {
  const lead = news.lead_id === null ? null : await findLead(db, news.lead_id)
  if (lead === undefined) return undefined
  if (kind === 'webhook') {
    const rows = db.selectFrom('webhooks').selectAll().where('id', '=', id)
    const webhook = await rows.executeTakeFirst()
    return webhook && makeWebhookCall(webhook, news, lead, now)
  }
  const affiliate = await db
    .selectFrom('affiliates')
    .select(['postback_url', 'payout_cents'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!affiliate?.postback_url) return undefined
  const values = makePostbackValues(news, lead, affiliate.payout_cents)
  const url = fillPostback(affiliate.postback_url, values)
  // A template need not contain {event}, so the address itself says that this is a test.
  return { method: 'GET', url: news.event === 'test' ? markAsTest(url) : url }
}

function markAsTest(text: string): string {
  const url = new URL(text)
  url.search += `${url.search === '' ? '?' : '&'}test=1`
  return url.href
}

async function findLead(db: Store, id: string): Promise<Lead | undefined> {
  const row = await selectLeads(db).where('leads.id', '=', id).executeTakeFirst()
  return (
    row &&
    catchUnreadable<Lead, undefined>(
      () => toLead(row),
      () => undefined,
    )
  )
}

/** Only an accepted lead is paid for. A test has no lead, so most values are empty. */
function makePostbackValues(
  { event, event_at, event_reason, lead_id }: News,
  lead: Lead | null,
  payoutCents: number | null,
): PostbackValues {
  const cents = event === 'accepted' ? payoutCents : 0
  return {
    click_id: findAffiliateClickId(lead?.attribution ?? null) ?? '',
    sub_id: lead?.subId ?? '',
    lead_id: lead_id ?? '',
    event,
    reason: event_reason ?? '',
    payout: cents === null ? '' : (cents / 100).toFixed(2),
    time: new Date(event_at).toISOString(),
  }
}

/** Signs the call as https://www.standardwebhooks.com describes. A repeated call has the same id. */
function makeWebhookCall(webhook: WebhookRow, news: News, lead: Lead | null, now: number): Request {
  const body = JSON.stringify(makePayload(news, lead, webhook.sends_personal_data === 1))
  const signedAt = new Date(now)
  return {
    method: 'POST',
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': news.id,
      'webhook-timestamp': String(Math.floor(now / 1000)),
      'webhook-signature': new Webhook(webhook.secret).sign(news.id, signedAt, body),
    },
    body,
    repliesMayQuoteLead: webhook.sends_personal_data === 1 && lead !== null,
  }
}

/** docs/notifications.md lists the fields. */
function makePayload(news: News, lead: Lead | null, withPersonalData: boolean): object {
  const { event, event_at, event_reason, lead_id } = news
  const isTest = event === 'test'
  // A link may carry a person's address in any of its parameters.
  const show = (value: string | null, mask: (value: string) => string) =>
    value === null || withPersonalData ? value : mask(value)
  return {
    type: isTest ? 'test' : `lead.${event}`,
    timestamp: new Date(event_at).toISOString(),
    ...(isTest && { test: true }),
    data: {
      event,
      reason: event_reason,
      leadId: lead_id,
      ...(lead && {
        receivedAt: new Date(lead.receivedAt).toISOString(),
        area: lead.area,
        program: { id: lead.program.id, name: lead.program.name },
        affiliate: show(lead.subId, maskAffiliate),
        source: show(findSource(lead.attribution), maskCampaign),
        campaign: show(findCampaign(lead.attribution), maskCampaign),
        ...(withPersonalData && { answers: toAnswers(lead) }),
      }),
    },
  }
}

const toAnswers = (lead: Lead) => ({
  firstName: lead.firstName,
  lastName: lead.lastName,
  email: lead.email,
  phone: lead.phone,
  street: lead.street,
  city: lead.city,
  state: lead.state,
  zip: lead.zip,
  educationLevel: lead.educationLevel,
  graduatingYear: lead.graduatingYear,
  startDateId: lead.startDateId,
  attribution: lead.attribution,
})
