import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { makeNotStoredAlert, type OverviewAlert } from '#console/overview/alerts.ts'
import { sendRequest } from '#server/platform/call/http-call.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { explainNotStored } from '#server/platform/faults/sanitize-error.ts'
import { FailureLog, type LoopFailureLog } from '#server/platform/observability/failure-log.ts'
import { PollingLoop } from '#server/platform/polling-loop.ts'

interface AlertDependencies {
  readonly db: Kysely<StoreTables>
  /** Finds the troubles that the overview shows; rejects if the store cannot be read. */
  readonly findTroubles: () => Promise<readonly OverviewAlert[]>
  readonly webhookUrl: string
  /** The school's name, which tells operators of several sites apart. */
  readonly school: string
  /** The console's address for links; undefined if this process doesn't know it. */
  readonly consoleOrigin: string | undefined
  /** Returns epoch milliseconds. */
  readonly clock: () => number
  readonly log: Logger
  readonly failureLog: LoopFailureLog
}

const minute = 60_000
const lookEvery = minute
const leaseMs = 3 * minute
const maxPerHour = 10

/** A told trouble; `since` is when a message told its start, in epoch milliseconds. */
interface ToldTrouble {
  readonly what: string
  readonly since: number
}

/** Told troubles by their section of the runbook, which stays the same while counts in the text change. */
type Told = Record<string, ToldTrouble>

/**
 * Sends a message when a trouble starts and when it ends, each seen in two looks a minute apart. Of several processes
 * the one with the lease sends. While the store is unavailable, no process can have the lease, so each tells that once.
 * A message that was not sent, because the webhook failed or because of the hourly limit, is sent later if it still
 * holds.
 */
export function makeAlertLoop(dependencies: AlertDependencies) {
  const { db, findTroubles, webhookUrl, clock, log, failureLog } = dependencies
  const refusals = new FailureLog(log, {
    begins: 'ALERT_WEBHOOK_URL did not accept an alert; trying again',
    ends: 'ALERT_WEBHOOK_URL accepts alerts again',
  })
  const holder = randomUUIDv7()
  const stopping = new AbortController()
  let told: Told = {}
  let before: ReadonlySet<string> | undefined
  let sentAt: readonly number[] = []

  const send = async (text: string): Promise<boolean> => {
    const now = clock()
    sentAt = sentAt.filter((at) => at > now - 60 * minute)
    if (sentAt.length >= maxPerHour) return false
    sentAt = [...sentAt, now]
    const result = await sendRequest({
      method: 'POST',
      url: webhookUrl,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      timeoutMs: 10_000,
      signal: stopping.signal,
    })
    // A reply that breaks off or is too long still says that the chat took the message.
    const isSent = 'status' in result && result.status >= 200 && result.status < 300
    if (isSent) refusals.succeeded()
    else {
      const problem = String('status' in result ? result.status : result.code)
      refusals.failed(undefined, { problem }, 'warn')
    }
    return isSent
  }

  const look = async (): Promise<void> => {
    const lease = await claim(db, holder, clock()).catch(() => undefined)
    if (lease === 'other') {
      told = {}
      before = undefined
      return
    }
    told = { ...lease, ...told }
    const found = await findTroubles().catch((error: unknown) => explainNotStored(error))
    const troubles = typeof found === 'string' ? [makeNotStoredAlert(found)] : found
    const now = new Map(
      troubles.filter(({ kind }) => kind !== 'note').map((trouble) => [trouble.section, trouble]),
    )
    const starts = [...now.values()].filter(
      ({ section }) => before?.has(section) && told[section] === undefined,
    )
    // What cannot be read has not ended.
    const ends = Object.entries(told).filter(
      ([section]) =>
        typeof found !== 'string' && before && !before.has(section) && !now.has(section),
    )
    before = new Set(now.keys())
    if (starts.length + ends.length === 0) return
    const lines = [
      ...starts.map((trouble) => describeStart(trouble, dependencies)),
      ...ends.map(([, { what, since }]) => `Over: ${what} (told ${formatTime(since)})`),
    ]
    if (!(await send([`Campus Enquiry, ${dependencies.school}`, ...lines].join('\n\n')))) return
    const kept = { ...told }
    for (const [section] of ends) delete kept[section]
    for (const { section, title } of starts) kept[section] = { what: title, since: clock() }
    told = kept
    // Without the store, this process alone remembers what it has told.
    await remember(db, holder, told).catch(() => undefined)
  }

  const loop = new PollingLoop(
    async () => {
      await look()
      return lookEvery
    },
    { failureLog, againAfter: lookEvery },
  )
  return {
    look,
    start: () => loop.start(),
    stop: () => {
      stopping.abort()
      return loop.stop()
    },
  }
}

/** Takes or renews the lease. Resolves with what its holders have told, or with `other` if another process has it. */
async function claim(
  db: Kysely<StoreTables>,
  holder: string,
  now: number,
): Promise<Told | 'other'> {
  const { rows } = await sql<{ told: string }>`
    insert into alert_state (id, holder, held_until, told) values (1, ${holder}, ${now + leaseMs}, '{}')
    on conflict (id) do update set holder = excluded.holder, held_until = excluded.held_until
    where alert_state.holder = excluded.holder or alert_state.held_until < ${now}
    returning told`.execute(db)
  return rows[0] === undefined ? 'other' : JSON.parse(rows[0].told)
}

async function remember(db: Kysely<StoreTables>, holder: string, told: Told): Promise<void> {
  const row = { told: JSON.stringify(told) }
  await db.updateTable('alert_state').set(row).where('holder', '=', holder).execute()
}

const formatTime = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

function describeStart(
  { title, since, advice, link, section }: OverviewAlert,
  { consoleOrigin }: AlertDependencies,
): string {
  const anchor = section.toLowerCase().replaceAll(',', '').replaceAll(' ', '-')
  return [
    `Problem: ${title}${since ? `. ${since.text} ${formatTime(since.at)}` : ''}`,
    advice,
    ...(consoleOrigin === undefined ? [] : [`Console: ${consoleOrigin}${link?.href ?? '/'}`]),
    `Runbook: docs/runbook.md#${anchor}`,
  ].join('\n')
}
