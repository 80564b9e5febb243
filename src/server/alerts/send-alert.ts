import type { Settings } from '#server/config/settings.ts'
import { runWithAudit } from '#server/operators/audit.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { OperatorContext } from '#server/operators/operator-context.ts'
import { sendRequest } from '#server/platform/call/http-call.ts'

export interface AlertWebhook {
  /** The URL is a secret. */
  readonly url: string
  readonly format: Settings['alertWebhookFormat']
}

export interface AlertResult {
  readonly isAccepted: boolean
  /** The HTTP status, or why no answer came; never the webhook's URL. */
  readonly answer: string
}

const timeoutMs = 10_000

/** Posts a text to the chat's webhook, once. The promise never rejects. */
export async function sendAlert(
  webhook: AlertWebhook,
  text: string,
  signal?: AbortSignal,
): Promise<AlertResult> {
  const isTeams = findAlertFormat(webhook) === 'teams'
  const result = await sendRequest({
    method: 'POST',
    url: webhook.url,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: encode(text, isTeams ? makeCard : (plain) => ({ text: escapeForSlack(plain) })),
    timeoutMs,
    ...(signal && { signal }),
  })
  if (result.kind === 'no-answer') {
    const isTimeout = result.why === 'timeout'
    const why = isTimeout ? `within ${timeoutMs / 1000} s` : `(${result.code || result.why})`
    return { isAccepted: false, answer: `no answer ${why}` }
  }
  const { status } = result
  // Office's own webhooks answer 200 even if Teams has refused the card; only the reply's text says so.
  if (isTeams && result.kind === 'answered' && /delivery failed/i.test(result.body))
    return { isAccepted: false, answer: `HTTP ${status}, but Teams refused the message` }
  // The status says whether the chat accepted the message, even if the rest of the reply is missing or too long.
  const isAccepted = status >= 200 && status < 300
  const isLater = isAccepted && isTeams
  return {
    isAccepted,
    answer: `HTTP ${status}${isLater ? '; Teams posts the message afterwards, so look for it there' : ''}`,
  }
}

/** Workflows of Teams drop every message that is not a card, and still answer 202. */
const teamsHost = /(^|\.)(logic\.azure\.com|powerplatform\.com|webhook\.office\.com)\.?$/

export const findAlertFormat = ({ url, format }: AlertWebhook): 'text' | 'teams' => {
  if (format !== 'auto') return format
  return teamsHost.test(new URL(url).hostname) ? 'teams' : 'text'
}

/** Teams refuses messages of more than 28 KB, and some of its services count two bytes for each byte. */
const maxBytes = 12 * 1024

/** Encodes a message, and shortens the text until the message is small enough for every chat. */
function encode(text: string, make: (text: string) => object): string {
  let body = JSON.stringify(make(text))
  for (let kept = text.length / 2; Buffer.byteLength(body) > maxBytes; kept /= 2) {
    const start = text.slice(0, kept).toWellFormed()
    body = JSON.stringify(make(`${start}…\n\nThe console’s overview lists the rest.`))
  }
  return body
}

/** Slack reads `<` and `&` as the start of a link, a mention or an escape. */
const escapeForSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * Makes the message of an Adaptive Card with one block for each line. Teams reads Markdown in a TextBlock, but not in a
 * TextRun, so names in a text cannot become links. https://learn.microsoft.com/adaptive-cards/schema-explorer/text-run
 */
function makeCard(text: string): object {
  const blocks = text.split('\n').map((line, index, lines) => {
    const href = /^\w+: (https?:\/\/\S+)$/.exec(line)?.[1]
    return {
      type: 'RichTextBlock',
      spacing: lines[index - 1] === '' ? 'Medium' : 'None',
      inlines: [
        {
          type: 'TextRun',
          text: line,
          ...(index === 0 && { weight: 'Bolder' }),
          ...(href && { selectAction: { type: 'Action.OpenUrl', url: href } }),
        },
      ],
    }
  })
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: blocks.filter(({ inlines: [run] }) => run?.text !== ''),
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] }
}

/** What an operator must do before a test, if this process has no webhook. */
export const noAlertWebhook =
  'Set ALERT_WEBHOOK_URL for this process and for every worker: docs/runbook.md, “Alerts without Prometheus”.'

/** Makes the function that posts a test alert; it resolves with undefined if ALERT_WEBHOOK_URL is not set. */
export function makeAlertTester({
  settings,
  ...context
}: Pick<OperatorContext, 'audit' | 'clock'> & {
  readonly settings: Pick<Settings, 'alertWebhookUrl' | 'alertWebhookFormat' | 'names'>
}) {
  const { alertWebhookUrl: url, alertWebhookFormat: format, names } = settings
  return (actor: Actor): Promise<AlertResult | undefined> => {
    const text = `Campus Enquiry, ${names.school}\n\nTest: an operator checks that alerts arrive here. Nothing is wrong.`
    return runWithAudit(
      context,
      { actor, permission: 'test alerts', action: 'sent a test alert' },
      async () => (url === undefined ? undefined : sendAlert({ url, format }, text)),
      (result) => result?.answer ?? 'ALERT_WEBHOOK_URL is not set',
    )
  }
}
