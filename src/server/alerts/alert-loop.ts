import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { formatIsoTime } from '#domain/calendar.ts'
import { minute } from '#domain/durations.ts'
import { toAnchor } from '#domain/text/to-anchor.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { explainStorageFailure } from '#server/platform/faults/sanitize-error.ts'
import { type FailureLog, makeFailureLog } from '#server/platform/observability/failure-log.ts'
import { makePollingLoop } from '#server/platform/polling-loop.ts'
import { makeNotStoredAlert, type OverviewAlert } from './alerts.ts'
import { type AlertWebhook, sendAlert } from './send-alert.ts'

interface AlertDependencies {
  readonly db: Kysely<StoreTables>
  /** Finds the alerts that the overview shows; rejects if the store cannot be read. */
  readonly findAlerts: () => Promise<readonly OverviewAlert[]>
  readonly webhook: AlertWebhook
  /** The school's name, which tells an operator of several sites which site an alert is about. */
  readonly school: string
  /** The console's origin for links in messages; undefined if this process doesn't know the origin. */
  readonly consoleOrigin: string | undefined
  readonly clock: () => number
  readonly zone: string
  readonly log: Logger
  readonly failureLog: FailureLog
}

const leaseMs = 3 * minute
const maxPerHour = 10

/**
 * The alerts that were reported and still last. The key is the alert's section of the runbook, because an alert's text
 * can change while the alert lasts. `since` is the time of the report, in epoch milliseconds.
 */
type SentAlerts = Record<string, { readonly what: string; readonly since: number }>

/**
 * Checks for alerts every minute. Sends a message after two checks in a row have found an alert, and another message
 * after two checks in a row have not found it. If several processes run, only the process with the lease sends
 * messages. While the store is unavailable, no process can take the lease, so each process sends its own messages. If
 * the webhook fails or the hourly limit is reached, the next check tries again.
 */
export function makeAlertLoop(dependencies: AlertDependencies) {
  const { db, findAlerts, webhook, clock, zone, log, failureLog } = dependencies
  const webhookLog = makeFailureLog(log, {
    begins: 'ALERT_WEBHOOK_URL did not accept an alert; trying again',
    ends: 'ALERT_WEBHOOK_URL accepts alerts again',
  })
  const holder = randomUUIDv7()
  const stopping = new AbortController()
  let sentAlerts: SentAlerts = {}
  /** The runbook sections of the alerts that the previous check found; undefined before the first check. */
  let previous: ReadonlySet<string> | undefined
  let messageTimes: readonly number[] = []

  const send = async (text: string): Promise<boolean> => {
    const now = clock()
    messageTimes = messageTimes.filter((at) => at > now - 60 * minute)
    if (messageTimes.length >= maxPerHour) return false
    messageTimes = [...messageTimes, now]
    const { isAccepted, answer } = await sendAlert(webhook, text, stopping.signal)
    if (isAccepted) webhookLog.succeeded()
    else webhookLog.failed(undefined, { problem: answer }, 'warn')
    return isAccepted
  }

  const check = async (): Promise<void> => {
    const lease = await takeLease(db, holder, clock()).catch(() => undefined)
    if (lease === 'other') {
      sentAlerts = {}
      previous = undefined
      return
    }
    sentAlerts = { ...lease, ...sentAlerts }
    const found = await findAlerts().catch((error: unknown) => explainStorageFailure(error))
    const isReadable = typeof found !== 'string'
    const alerts = isReadable ? found : [makeNotStoredAlert(found)]
    const current = new Map(
      alerts.filter(({ kind }) => kind !== 'note').map((alert) => [alert.section, alert]),
    )
    const starts = [...current.values()].filter(
      ({ section }) => previous?.has(section) && sentAlerts[section] === undefined,
    )
    // While the store cannot be read, the loop cannot know whether other alerts are over, so it ends none.
    const ends = Object.entries(sentAlerts).filter(
      ([section]) => isReadable && previous && !previous.has(section) && !current.has(section),
    )
    previous = new Set(current.keys())
    if (starts.length + ends.length === 0) return
    const lines = [
      `Campus Enquiry, ${dependencies.school}`,
      ...starts.map((alert) => describeStart(alert, dependencies.consoleOrigin, zone)),
      ...ends.map(([, { what, since }]) => `Over: ${what} (reported ${formatTime(since, zone)})`),
    ]
    if (!(await send(lines.join('\n\n')))) return
    const ended = new Set(ends.map(([section]) => section))
    sentAlerts = Object.fromEntries([
      ...Object.entries(sentAlerts).filter(([section]) => !ended.has(section)),
      ...starts.map(({ section, title }) => [section, { what: title, since: clock() }]),
    ])
    try {
      const row = { told: JSON.stringify(sentAlerts) }
      await db.updateTable('alert_state').set(row).where('holder', '=', holder).execute()
    } catch {
      // While the store is unavailable, only this process remembers which alerts it has sent.
    }
  }

  const loop = makePollingLoop(() => check().then(() => minute), failureLog, minute)
  return {
    check,
    start: loop.start,
    stop: () => {
      stopping.abort()
      return loop.stop()
    },
  }
}

/** Takes or renews the lease. Resolves with the sent alerts, or with `other` if another process has the lease. */
async function takeLease(
  db: Kysely<StoreTables>,
  holder: string,
  now: number,
): Promise<SentAlerts | 'other'> {
  const { rows } = await sql<{ told: string }>`
    insert into alert_state (id, holder, held_until, told) values (1, ${holder}, ${now + leaseMs}, '{}')
    on conflict (id) do update set holder = excluded.holder, held_until = excluded.held_until
    where alert_state.holder = excluded.holder or alert_state.held_until < ${now}
    returning told`.execute(db)
  return rows[0] === undefined ? 'other' : JSON.parse(rows[0].told)
}

const formatTime = (at: number, zone: string): string =>
  `${formatIsoTime(at, zone).slice(0, 16).replace('T', ' ')} ${zone}`

function describeStart(
  { title, since, advice, link, section }: OverviewAlert,
  consoleOrigin: string | undefined,
  zone: string,
): string {
  return [
    `Problem: ${title}${since ? `. ${since.text} ${formatTime(since.at, zone)}` : ''}`,
    advice,
    ...(consoleOrigin === undefined ? [] : [`Console: ${consoleOrigin}${link?.href ?? '/'}`]),
    `Runbook: docs/runbook.md#${toAnchor(section)}`,
  ].join('\n')
}
