import { Webhook } from 'standardwebhooks'
import { findAffiliateClickId, findCampaign, findSource } from '#domain/lead/attribution.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { maskLead } from '#domain/lead/mask-lead.ts'
import { findStoredAnswer, type StoredName, storedNames } from '#domain/lead/stored-answers.ts'
import { stoppedReason } from '#domain/notifications/notification.ts'
import { formatAmount } from '#domain/text/formats.ts'
import { escapeInvisible, type PlainLine } from '#domain/text/plain-line.ts'
import { fillPostbackTemplate } from '#server/affiliates/postback-template.ts'
import {
  classifyUnansweredCall,
  parseRetryAfter,
  type SendResult,
} from '#server/delivery/distributor-client.ts'
import { parseAbuseSignals } from '#server/leads/lead-status.ts'
import { type CallResult, type HttpCall, sendRequest } from '#server/platform/call/http-call.ts'
import type { Notification, WebhookRow } from './notification-queue.ts'

interface DestinationCall extends Pick<HttpCall, 'method' | 'url' | 'headers' | 'body'> {
  /** Whether the call contains personal data, so that its reply, which may quote the data, is not stored. */
  readonly hasPersonalData?: boolean
}

export interface CallSettings {
  /** The time limit for a whole call, in milliseconds. */
  readonly timeoutMs: number
  /** Whether calls may use http and hosts in private networks, as in demo mode. */
  readonly allowsLocal: boolean
  readonly clock: () => number
}

/** The maximum number of bytes of a reply to read and store. */
const keptReplyBytes = 4096

/** Calls a notification's destination, and classifies the destination's answer. */
export async function callDestination(
  notification: Notification | undefined,
  { timeoutMs, allowsLocal, clock }: CallSettings,
  signal?: AbortSignal,
): Promise<SendResult> {
  if (notification === undefined) return { outcome: { name: 'not-made', reason: 'unreadable' } }
  const { receiver } = notification
  const { hasPersonalData, ...call } =
    'webhook' in receiver
      ? makeWebhookCall(receiver.webhook, notification, clock())
      : makePostbackCall(receiver.postback.url, notification)
  const result = await sendRequest({
    ...call,
    // Asks for an uncompressed reply, because the start of a compressed one may contain little text.
    headers: { ...call.headers, 'accept-encoding': 'identity' },
    timeoutMs,
    isPublicOnly: !allowsLocal,
    keepBytes: keptReplyBytes,
    ...(signal && { signal }),
  })
  const { outcome, response } = classifyCall(result, clock())
  return { outcome, response: hasPersonalData ? undefined : response }
}

/** A status from 200 to 299 accepts a notification; after any other answer, the worker tries again. */
function classifyCall(result: CallResult, now: number): SendResult {
  if (result.kind === 'no-answer') return { outcome: classifyUnansweredCall(result) }
  const { status: httpStatus, headers } = result
  const text = result.kind === 'answered' ? escapeInvisible(result.body) : ''
  const response = (text || undefined) as PlainLine | undefined
  if (httpStatus >= 200 && httpStatus < 300) {
    return { outcome: { name: 'delivered', httpStatus }, response }
  }
  const retryAfterMs = parseRetryAfter(headers['retry-after'], now)
  if ([408, 429, 503].includes(httpStatus)) {
    return { outcome: { name: 'busy', httpStatus, retryAfterMs }, response }
  }
  const reason = httpStatus >= 500 ? 'server-error' : 'unknown-status'
  return { outcome: { name: 'broken', httpStatus, reason, retryAfterMs }, response }
}

/** Makes the call to an affiliate. The payout is 0 unless the lead is accepted and paid for. A test has no lead. */
function makePostbackCall(
  template: string,
  { event, event_at, event_reason, lead_id, lead, payoutCents }: Notification,
): DestinationCall {
  const cents = event === 'accepted' && event_reason !== stoppedReason ? payoutCents : 0
  const filled = fillPostbackTemplate(template, {
    click_id: findAffiliateClickId(lead?.attribution ?? null) ?? '',
    sub_id: lead?.subId ?? '',
    lead_id: lead_id ?? '',
    event,
    reason: event_reason ?? '',
    payout: formatAmount(cents),
    time: new Date(event_at).toISOString(),
  })
  const url = new URL(filled)
  // Not every template contains {event}, so the query says that the call is a test.
  if (event === 'test') url.search += `${url.search === '' ? '?' : '&'}test=1`
  return { method: 'GET', url: event === 'test' ? url.href : filled }
}

/** Makes a call that is signed as https://www.standardwebhooks.com describes. A repeated call has the same id. */
function makeWebhookCall(
  webhook: WebhookRow,
  notification: Notification,
  now: number,
): DestinationCall {
  const { id, lead, event_reason, isStopped } = notification
  // No other event would tell the destination about a quarantined lead, who may have asked not to be contacted.
  const withPersonalData =
    webhook.sends_personal_data === 1 && event_reason !== 'quarantined' && !isStopped
  const body = JSON.stringify(makePayload(notification, withPersonalData))
  const signedAt = new Date(now)
  return {
    method: 'POST',
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now / 1000)),
      'webhook-signature': new Webhook(webhook.secret).sign(id, signedAt, body),
    },
    body,
    hasPersonalData: withPersonalData && lead !== null,
  }
}

/** Makes the body of a webhook call; docs/notifications.md lists its fields. */
function makePayload(notification: Notification, withPersonalData: boolean): object {
  const { event, event_at, event_reason, lead_id, lead, signals } = notification
  const isTest = event === 'test'
  // Values from links are masked, because anybody can put a person's data into a link.
  const shown = lead && (withPersonalData ? lead : maskLead(lead))
  return {
    type: isTest ? 'test' : `lead.${event}`,
    timestamp: new Date(event_at).toISOString(),
    ...(isTest && { test: true }),
    data: {
      event,
      reason: event_reason,
      leadId: lead_id,
      ...(event === 'received' && { signals: parseAbuseSignals(signals) }),
      ...(shown && {
        receivedAt: new Date(shown.receivedAt).toISOString(),
        area: shown.area,
        program: { id: shown.program.id, name: shown.program.name },
        affiliate: shown.subId,
        source: findSource(shown.attribution),
        campaign: findCampaign(shown.attribution),
        ...(withPersonalData && { answers: pickAnswers(shown) }),
      }),
    },
  }
}

/** The answers that only a webhook with personal data receives, in the order that receivers know. */
const personalAnswers = [
  ...new Set<StoredName>([
    ...(['firstName', 'lastName', 'email', 'phone', 'address', 'city', 'state', 'zip'] as const),
    'educationLevel',
    ...storedNames,
  ]),
].filter((name) => findStoredAnswer(name).webhook !== null)

const pickAnswers = (lead: Lead) =>
  Object.fromEntries([
    ...personalAnswers.map((name) => [findStoredAnswer(name).webhook ?? name, lead[name]]),
    ['attribution', lead.attribution],
  ])
