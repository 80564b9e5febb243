import type { Command } from 'commander'
import { describeSignal } from '#domain/abuse/signals.ts'
import { formatIsoTime } from '#domain/calendar.ts'
import { type AttemptRecord, describeAttemptError } from '#domain/delivery/outcome.ts'
import { describeUnreadable } from '#domain/lead/lead.ts'
import { toReference } from '#domain/lead/reference.ts'
import { describeCallResult, describeNotification } from '#domain/notifications/notification.ts'
import { formatCallDuration, formatDuration } from '#domain/text/time-formats.ts'
import { describeFailureCause } from '#server/delivery/describe-failure-cause.ts'
import { leadExportColumns } from '#server/leads/export-columns.ts'
import type { LeadDetails } from '#server/leads/read-leads.ts'
import { makeCommand } from './command.ts'
import { CommandError } from './errors.ts'
import { type CommandContext, findLeadId, runCommandWithAudit } from './store.ts'
import { formatTable, makeSinceFormat } from './terminal.ts'

export const makeShowCommand = (): Command =>
  makeCommand('show', 'shows one lead: its answers, the consent, every delivery attempt', [
    'show 7K4MQ2XH',
    'show 019bc0de-…',
  ])
    .argument('<id>', 'the lead’s reference or id')
    .readsStore(runShow)

async function runShow(context: CommandContext, text: string) {
  const id = await findLeadId(context, text)
  const { leadReader, clock, breaker, zone } = context.store
  const found = await leadReader.find(id, clock())
  if (found === undefined) {
    throw new CommandError(`There is no lead with the id ${id}. “list” shows the ids.`)
  }
  // The audit entry is written before any personal data is shown.
  if (!('erasedAt' in found.lead)) {
    const entry = { action: 'revealed a lead', subject: found.lead.id } as const
    const nothing = () => Promise.resolve()
    await runCommandWithAudit(context, entry, nothing, () => 'shown')
  }
  const cause = describeFailureCause(found, await breaker.read(), makeSinceFormat(zone)) ?? []
  const lines = [...describeLead(found, zone), ...describeDelivery(found, zone)].concat(cause)
  return { json: { reference: toReference(found.lead.id), ...found }, text: lines.join('\n') }
}

/** Lists the lead's fields that are not empty, under the names of the export's columns. */
function describeLead(found: LeadDetails, zone: string): readonly string[] {
  const { lead, signals, delivery } = found
  const last = delivery?.attempts.at(-1)
  const exported = {
    ...found,
    delivery: delivery && {
      ...delivery,
      attempts: delivery.attempts.length,
      lastOutcome: last?.outcome ?? null,
      lastReason: last?.reason ?? null,
      lastResponse: null,
      lastError: null,
      errorGroup: null,
    },
  }
  const fields = leadExportColumns
    .map(({ name, read }) => [name, String(read(exported, zone) ?? '')] as const)
    .filter(([, value]) => value !== '')
  return [
    formatTable(
      ['Field', 'Value'],
      [['reference', toReference(lead.id)], ...fields.filter(([name]) => name !== 'reference')],
    ),
    '',
    ...signals.map((signal) => `Signal: ${describeSignal(signal)}`),
    ...('unreadable' in lead ? [`Unreadable: ${describeUnreadable(lead.unreadable)}`] : []),
    ...(lead.consent ? [`Agreed to: ${lead.consent.text}`] : []),
  ]
}

function describeDelivery(found: LeadDetails, zone: string): readonly string[] {
  const { lead, delivery } = found
  const notified = describeNotifications(found)
  if (delivery === null) return notified
  const { attempts, restoredAt, settledAs, held, nextAttemptAt } = delivery
  const lines = ['', describeAttempts(attempts, zone), ...notified]
  if (held !== null) {
    lines.push(
      `Held by a cap: ${held.because}. Next attempt: ${formatIsoTime(nextAttemptAt ?? 0, zone)}.`,
    )
  }
  if (restoredAt !== null && settledAs === null) {
    lines.push(
      `A backup was restored at ${formatIsoTime(restoredAt, zone)}: the lead may have been delivered since the backup. If the ` +
        `distributor has it, run “settle ${lead.id} --as delivered”.`,
    )
  }
  return lines
}

function describeNotifications({ notifications, delivery }: LeadDetails): readonly string[] {
  const lines = notifications.map(
    (one) =>
      `Notification: ${one.kind} to ${one.name}, ${one.event}, ${describeNotification(one)}` +
      (describeCallResult(one) === null ? '' : `, ${describeCallResult(one)}`),
  )
  if (delivery?.noPostback !== undefined) {
    lines.push(`Postback: not sent: ${delivery.noPostback}`)
  }
  return lines
}

function describeAttempts(attempts: readonly AttemptRecord[], zone: string): string {
  if (attempts.length === 0) return 'No delivery has been attempted yet.'
  const rows = attempts.map((attempt) => [
    String(attempt.number),
    formatIsoTime(attempt.startedAt, zone),
    formatCallDuration(attempt.durationMs),
    attempt.outcome,
    String(attempt.httpStatus ?? '–'),
    describeReason(attempt),
    attempt.said ?? '',
  ])
  return formatTable(['Attempt', 'Time', 'Duration', 'Outcome', 'HTTP', 'Reason', 'Response'], rows)
}

/** Describes the reason for an attempt's outcome; empty if the outcome explains itself. */
function describeReason({ reason, code, retryAfterMs }: AttemptRecord): string {
  const parts = [
    reason === null ? '' : describeAttemptError(reason),
    retryAfterMs === null ? code : `asks for ${formatDuration(retryAfterMs)}`,
  ]
  return parts.filter(Boolean).join(', ')
}
