import { setTimeout } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { minute } from '#domain/durations.ts'
import { formatNumber, pluralize } from '#domain/text/formats.ts'
import {
  type Contact,
  carriesAnswers,
  findContacts,
  findListed,
  findListedKeys,
  findListedLeads,
  hashContact,
  keepSentLeads,
  makeListKey,
  mayHaveAnswers,
  readListSecret,
  toContact,
  wasSent,
} from '#server/leads/do-not-contact.ts'
import { findLeadStatus, statusColumns } from '#server/leads/lead-status.ts'
import { hashPersonKeys } from '#server/leads/person-searches.ts'
import { runAuditedTransaction, runWithAudit } from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { Actor, ConsoleActor } from '#server/operators/operator.ts'
import type { OperatorContext } from '#server/operators/operator-context.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import { countRows, sliceRows } from '#server/platform/database/rows.ts'
import { readSearchKeySecret } from '#server/platform/database/shared-secret.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { stopDeliveries } from './claim-deliveries.ts'
import { type ParsedList, parseDoNotContact } from './parse-do-not-contact.ts'

type Db = Kysely<StoreTables>

/** What became of people's leads when the people were listed. */
export interface StopResult {
  /** How many email addresses and phone numbers are newly on the list, and how many were on it before. */
  readonly added: number
  readonly known: number
  /** How many leads that waited are never sent. */
  readonly stopped: number
  /** How many calls with a lead a worker may still be making: 0, unless a process holds a lead for minutes. */
  readonly sending: number
  /** How many leads had been sent before, whose receivers nobody has told yet. */
  readonly sent: number
  /** Whether the people have so many leads that the contacts of some are left out. */
  readonly isPartial?: boolean
}

export type ListImport =
  | ({ readonly kind: 'imported' } & StopResult)
  | { readonly kind: 'refused'; readonly faults: ParsedList['faults'] }

/** What *Stop contact* would do now. Counts email addresses and phone numbers, and the leads that have one of them. */
export type StopPreview = Awaited<ReturnType<typeof previewStop>>

interface Dependencies extends OperatorContext {
  readonly longQueryDb: LeadDatabase['longQueryDb']
}

/** Makes the actions on the list of people who asked not to be contacted, for the console and the command line. */
export function makeDoNotContactActions({ db, longQueryDb, audit, clock }: Dependencies) {
  const permission = 'stop contact'
  return {
    /** Reads how people can be contacted from their leads. */
    contactsOf: (leadIds: readonly string[]) => findContacts(db, leadIds),
    /** @param own those of the people's contacts that are surely theirs */
    preview: async (actor: Actor, people: readonly Contact[], own = people) => {
      authorize(actor, permission, clock())
      return previewStop(db, people, own, clock())
    },
    /**
     * Puts people on the list, and settles their leads that wait. Resolves only when no worker sends one of their leads
     * any more, nor a webhook their answers: claims read the list, and what a worker had claimed before is waited for,
     * for up to 5 minutes. Also lists the other addresses and numbers in the people's leads. A person who is on the
     * list already is listed again, which ends the effect of earlier releases.
     * @param about the lead's id, and the operator's own words
     * @param others which keys of the preview's other contacts not to list
     */
    stop: (
      actor: Actor,
      people: readonly Contact[],
      about: { readonly subject?: string; readonly reason?: string } = {},
      others: OtherContacts = {},
    ): Promise<StopResult> =>
      runWithAudit(
        { audit, clock },
        { actor, permission, action: 'stopped contact', ...about },
        async (now) => {
          const { contacts, leadIds, isPartial } = await findPerson(db, people, others)
          const hashes = [...contacts.values()].flatMap(hashContact)
          const { added, known } = await listHashes(db, hashes, { now, isAgain: true })
          const result = await stopLeads(db, leadIds, clock)
          return { added, known, ...result, ...(isPartial && { isPartial }) }
        },
        describeStop,
      ),
    /**
     * Puts the people of a file on the list. If any line is wrong, nothing changes. A second import changes nothing: a
     * person who was released since stays released.
     */
    import: async (actor: Actor, text: string): Promise<ListImport> => {
      authorize(actor, permission, clock())
      const { hashes, faults } = await parseDoNotContact(text)
      if (faults.length > 0) return { kind: 'refused', faults }
      const result = await runWithAudit(
        { audit, clock },
        { actor, permission, action: 'imported people not to contact' },
        async (now) => {
          const { added, known } = await listHashes(db, hashes, { now, isAgain: false })
          const ids = await findLeadsByHashes(longQueryDb, new Set(hashes))
          return { added, known, ...(await stopLeads(db, ids, clock)) }
        },
        describeStop,
      )
      return { kind: 'imported', ...result }
    },
    /** Resolves with the time when each value of the person was listed; null for a value that isn't on the list. */
    check: async (actor: Actor, contact: Contact) => {
      authorize(actor, permission, clock())
      const values = Object.entries(contact).map(([id, value]) => ({ id, [id]: value }))
      const listed = await findListed(db, values, await readListSecret(db))
      return Object.fromEntries(values.map(({ id }) => [id, listed.get(id) ?? null]))
    },
    /**
     * Takes people off the list, with those of the other contacts in their leads that are wanted. Leads that were not
     * sent stay so until an operator retries or releases them.
     * @returns how many entries were removed, and how many other contacts of the people are still on the list
     */
    remove: async (
      actor: Actor,
      people: readonly Contact[],
      reason = '',
      {
        own = people,
        listed = [],
      }: { readonly own?: readonly Contact[]; readonly listed?: readonly string[] } = {},
    ): Promise<{ readonly removed: number; readonly left: number }> => {
      authorize(actor, 'allow contact again', clock())
      const secret = await readListSecret(db)
      const all = [...(await findPerson(db, people)).contacts.keys()]
      const ownKeys = own.flatMap(hashContact).map((hash) => makeListKey(secret, hash))
      const keys = all.filter((key) => ownKeys.includes(key) || listed.includes(key))
      return runAuditedTransaction(
        { db, clock },
        { actor, permission: 'allow contact again', action: 'allowed contact again', reason },
        async (tx) => {
          let removed = 0
          for (const slice of sliceRows(keys)) {
            const entries = tx.deleteFrom('do_not_contact').where('key', 'in', slice)
            removed += Number((await entries.executeTakeFirst()).numDeletedRows)
          }
          return { removed, left: (await findListedKeys(tx, all)).size }
        },
        ({ removed }) =>
          removed === 0 ? undefined : `${pluralize(removed, 'entry', 'entries')} removed`,
      )
    },
    /** Records that the receivers of a lead know that its person asked not to be contacted. */
    markTold: (actor: ConsoleActor, leadId: string): Promise<boolean> =>
      runAuditedTransaction(
        { db, clock },
        { actor, permission, action: 'told receivers of a stop', subject: leadId },
        (tx, now) =>
          tx
            .updateTable('sent_before_stop')
            .set({ told_at: now, told_by: actor.id })
            .where('lead_id', '=', leadId)
            .where('told_at', 'is', null)
            .executeTakeFirst()
            .then(({ numUpdatedRows }) => numUpdatedRows > 0n),
        (isMarked) => (isMarked ? 'marked as told' : undefined),
      ),
    /** Counts the list, and lists the leads that had been sent before their people were listed. */
    overview: async (actor: Actor) => {
      authorize(actor, 'see do not contact', clock())
      const entries = await countRows(db.selectFrom('do_not_contact'))
      return { entries, sent: await listSentLeads(db) }
    },
  }
}

/** Says what a stop did, as in `2 listed, 1 listed before; 3 waiting leads not sent; 1 lead sent before`. */
export function describeStop({ added, known, stopped, sending, sent, isPartial }: StopResult) {
  const parts = [
    `${added} listed${known > 0 ? `, ${known} listed before` : ''}`,
    `${pluralize(stopped, 'waiting lead')} not sent`,
    `${pluralize(sent, 'lead')} sent before`,
    ...(sending > 0 ? [`${pluralize(sending, 'call')} may still be under way`] : []),
    ...(isPartial ? [`only the first ${formatNumber(maxExpanded)} leads’ contacts`] : []),
  ]
  return parts.join('; ')
}

/** What to do after a stop that gave up waiting; undefined for any other. */
export const explainUnfinished = ({ sending }: Pick<StopResult, 'sending'>): string | undefined =>
  sending === 0
    ? undefined
    : `The person is listed, but ${pluralize(sending, 'call')} with a lead may still be under way. Select Stop contact again in a few minutes.`

const describeOthers = (count: number): string =>
  pluralize(count, 'other email address or phone number', 'other email addresses or phone numbers')

/** Says in numbers what a stop does, a sentence each. */
export const describePreview = (preview: StopPreview): readonly string[] => {
  const { values, listed, others, leads, waiting, sending, quarantined, sent } = preview
  return [
    `${pluralize(values, 'email address or phone number', 'email addresses or phone numbers')} of the person and in the person’s leads will be on the list${listed > 0 ? `; ${listed} already ${listed === 1 ? 'is' : 'are'}` : ''}. New enquiries with one of them wait in quarantine.`,
    others.length > 0 &&
      `The leads have ${others.length === values ? pluralize(values, 'email address or phone number', 'email addresses or phone numbers') : describeOthers(others.length)}; ${others.length === 1 ? 'it may be another person’s' : 'they may be other people’s'}.`,
    preview.isPartial &&
      `The person has more than ${formatNumber(maxExpanded)} leads: the addresses and numbers of the others aren’t listed.`,
    `${pluralize(leads, 'stored lead has', 'stored leads have')} one of them.`,
    waiting > 0 && `${pluralize(waiting, 'waiting lead is', 'waiting leads are')} never sent.`,
    sending > 0 &&
      `${pluralize(sending, 'lead is', 'leads are')} being sent right now: the answer waits for the result.`,
    quarantined > 0 &&
      `${pluralize(quarantined, 'lead stays', 'leads stay')} in quarantine unless an operator releases ${quarantined === 1 ? 'it' : 'them'}.`,
    sent > 0 &&
      `${pluralize(sent, 'lead was', 'leads were')} sent already: you must tell those who received ${sent === 1 ? 'it' : 'them'}.`,
  ].filter((sentence) => typeof sentence === 'string')
}

/** What to know after a removal; empty if no other contact in the person's leads is on the list. */
export const describeLeft = (left: number): string =>
  left === 0
    ? ''
    : `${describeOthers(left)} in the person’s leads ${left === 1 ? 'is' : 'are'} still on the list.`

/** The most leads whose other contacts a stop lists. */
const maxExpanded = 1000

/** An email address or phone number, with the id of the first lead that has it; absent if an operator typed it. */
type FoundContact = Contact & { readonly id?: string }

/** The keys of contacts that are not the person's, so that a stranger in one lead is not listed. */
export interface OtherContacts {
  readonly except?: readonly string[]
}

/**
 * Finds a person from any starting point: the leads with the given contacts, their corrections both ways, the other
 * contacts in these leads, the leads that have those, and so on until nothing is new. An excepted contact leads no further.
 * @returns the contacts by their keys on the list, and the leads, of which only the first 1,000 give contacts
 */
async function findPerson(
  db: Db,
  people: readonly Contact[],
  { except = [] }: OtherContacts = {},
): Promise<{
  readonly contacts: ReadonlyMap<string, FoundContact>
  readonly leadIds: readonly string[]
  readonly isPartial: boolean
}> {
  const secret = await readListSecret(db)
  const contacts = new Map<string, FoundContact>()
  const leadIds = new Set<string>()
  const addNew = (found: readonly FoundContact[]) => {
    const values = found.flatMap(({ email, phone, id }) => {
      const lead = id ? { id } : {}
      return [email ? { ...lead, email } : {}, phone ? { ...lead, phone } : {}]
    })
    return values.filter((value) => {
      const [hash] = hashContact(value)
      const key = hash && makeListKey(secret, hash)
      if (key === undefined || contacts.has(key) || except.includes(key)) return false
      contacts.set(key, value)
      return true
    })
  }
  let isPartial = false
  for (let fresh = addNew(people); fresh.length > 0; ) {
    const room = Math.max(0, maxExpanded - leadIds.size)
    const found = (await findLeadsOf(db, fresh)).filter((id) => !leadIds.has(id))
    for (const id of found) leadIds.add(id)
    if (found.length > room) isPartial = true
    fresh = addNew(await findContacts(db, found.slice(0, room)))
  }
  return { contacts, leadIds: [...leadIds], isPartial }
}

/**
 * Adds hashes to the list in many short transactions, so that enquiries don't wait for a long list.
 * @param isAgain whether a hash that is on the list already counts as listed now
 */
async function listHashes(
  db: Db,
  given: readonly string[],
  { now, isAgain }: { readonly now: number; readonly isAgain: boolean },
): Promise<Pick<StopResult, 'added' | 'known'>> {
  const secret = await readListSecret(db)
  const hashes = [...new Set(given)]
  let added = 0
  for (const slice of sliceRows(hashes)) {
    // A fixed order prevents a deadlock between two lists.
    const keys = slice.map((hash) => makeListKey(secret, hash)).toSorted()
    added += await runInTransaction(db, async (tx) => {
      const rows = keys.map((key) => ({ key, listed_at: now }))
      const inserted = await tx
        .insertInto('do_not_contact')
        .values(rows)
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('key')
        .execute()
      if (isAgain) {
        // Later than before even in the same millisecond, so that no earlier release overrides this listing.
        const again = sql<number>`case when listed_at < ${now} then cast(${now} as bigint) else listed_at + 1 end`
        const known = keys.filter((key) => !inserted.some((row) => row.key === key))
        const listed = tx.updateTable('do_not_contact').set({ listed_at: again })
        await listed.where('key', 'in', [...known, '']).execute()
      }
      return inserted.length
    })
  }
  return { added, known: hashes.length - added }
}

/** Finds the leads that have an email address or phone number of the people, and their corrections both ways. */
async function findLeadsOf(db: Db, people: readonly Contact[]): Promise<readonly string[]> {
  const secret = await readSearchKeySecret(db)
  const keys = people.flatMap(({ email = '', phone = '' }) =>
    hashPersonKeys(secret, { email, phone }),
  )
  const ids = new Set<string>()
  for (const slice of sliceRows([...new Set(keys)])) {
    const rows = await db
      .selectFrom('lead_keys')
      .select('lead_id')
      .where('key', 'in', slice)
      .execute()
    for (const { lead_id } of rows) ids.add(lead_id)
  }
  for (const slice of sliceRows([...ids])) {
    const rows = await db
      .selectFrom('leads')
      .select('corrects as id')
      .where('id', 'in', slice)
      .where('corrects', 'is not', null)
      .execute()
    for (const { id } of rows) if (id !== null) ids.add(id)
  }
  // Every correction refers to the first lead.
  for (const slice of sliceRows([...ids])) {
    const rows = await db.selectFrom('leads').select('id').where('corrects', 'in', slice).execute()
    for (const { id } of rows) ids.add(id)
  }
  return [...ids].toSorted()
}

/** The most leads that the search for hashed people reads at once. */
const batchSize = 500

/** Finds the leads of hashed people by reading every lead, because no index has these hashes. */
async function findLeadsByHashes(db: Db, hashes: ReadonlySet<string>): Promise<readonly string[]> {
  const found: string[] = []
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('leads')
      .select(['id', 'email', 'payload'])
      .where('id', '>', after)
      .where('erased_at', 'is', null)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    for (const row of rows) {
      if (hashContact(toContact(row)).some((hash) => hashes.has(hash))) found.push(row.id)
    }
    const last = rows.at(-1)
    if (last === undefined) return found
    after = last.id
  }
}

/** How long a stop waits for leads that are being sent: longer than a lease of the default length. */
const maxWaitMs = 5 * minute

const pauseMs = 50

/**
 * Settles the leads of listed people. Waits for the leads that workers are sending: a worker keeps its lease until it
 * has recorded the answer, and starts no call near the lease's end, so nothing is sent once the lease is over.
 */
async function stopLeads(
  db: Db,
  leadIds: readonly string[],
  clock: () => number,
): Promise<Pick<StopResult, 'stopped' | 'sending' | 'sent'>> {
  const giveUpAt = performance.now() + maxWaitMs
  let stopped = 0
  let sending = 0
  let sent = 0
  for (const slice of sliceRows(leadIds)) {
    for (;;) {
      const round = await runInTransaction(db, async (tx) => {
        const { stopped, sending } = await stopDeliveries(tx, slice, clock())
        return { stopped, sending: sending + (await countCalls(tx, slice, clock())) }
      })
      stopped += round.stopped
      if (round.sending > 0 && performance.now() > giveUpAt) sending += round.sending
      // A stopped lead may have given a delivery to its duplicate.
      else if (round.stopped > 0) continue
      else if (round.sending > 0) {
        await setTimeout(pauseMs)
        continue
      }
      break
    }
    // A second import leaves out leads that were sent because an operator released them despite the listing.
    const listed = [...(await findListedLeads(db, slice))]
    await keepSentLeads(db, listed, clock())
    sent += await countRows(
      db
        .selectFrom('sent_before_stop')
        .where('lead_id', 'in', [...listed, ''])
        .where('told_at', 'is', null),
    )
  }
  return { stopped, sending, sent }
}

/** Counts the webhooks that a worker may be sending the leads' answers, with those that it has locked. */
async function countCalls(tx: Db, leadIds: readonly string[], now: number): Promise<number> {
  const open = tx
    .selectFrom('notifications')
    .select('id')
    .where('lead_id', 'in', leadIds)
    .where('settled_at', 'is', null)
    .where('kind', '=', 'webhook')
    .where('destination', 'in', (eb) =>
      eb.selectFrom('webhooks').select('id').where('sends_personal_data', '=', 1),
    )
  const ids = (await open.execute()).map(({ id }) => id)
  if (ids.length === 0) return 0
  const idle = open
    .where('id', 'in', ids)
    .where((eb) => eb.or([eb('lease', 'is', null), eb('leased_until', '<=', now)]))
  return ids.length - (await idle.forUpdate().skipLocked().execute()).length
}

async function previewStop(
  db: Db,
  people: readonly Contact[],
  ownContacts: readonly Contact[],
  now: number,
) {
  const { contacts, leadIds, isPartial } = await findPerson(db, people)
  const counts = { leads: leadIds.length, waiting: 0, sending: 0, quarantined: 0, sent: 0 }
  for (const slice of sliceRows(leadIds)) {
    const rows = await db
      .selectFrom('lead_index')
      .leftJoin('deliveries', 'deliveries.lead_id', 'lead_index.lead_id')
      .leftJoin('sent_before_stop', 'sent_before_stop.lead_id', 'lead_index.lead_id')
      .select(statusColumns)
      .select(
        sql<number>`case when told_at is null and (${wasSent} or ${mayHaveAnswers}) then 1 else 0 end`.as(
          'must_tell',
        ),
      )
      .where('lead_index.lead_id', 'in', slice)
      .execute()
    for (const row of rows) {
      const status = findLeadStatus(row, now)
      if (status === 'pending') counts.waiting++
      if (status === 'leased') counts.sending++
      if (status === 'quarantined') counts.quarantined++
      counts.sent += row.must_tell
    }
  }
  const keys = [...contacts.keys()]
  const listed = await findListedKeys(db, keys)
  const own = new Set(ownContacts.flatMap(hashContact))
  const others = [...contacts].flatMap(([key, contact]) =>
    hashContact(contact).some((hash) => own.has(hash))
      ? []
      : [{ key, ...contact, isListed: listed.has(key) }],
  )
  return { ...counts, values: keys.length, listed: listed.size, others, isPartial }
}

/** The most leads that the page reads. */
export const maxListedSentLeads = 5000

/**
 * Lists the leads that had been sent before their people were listed, each with those who received its data: first those
 * whose receivers nobody has told, then the latest.
 */
async function listSentLeads(db: Db) {
  const rows = await db
    .selectFrom('sent_before_stop')
    .innerJoin('lead_index', 'lead_index.lead_id', 'sent_before_stop.lead_id')
    .leftJoin('deliveries', 'deliveries.lead_id', 'sent_before_stop.lead_id')
    .leftJoin('operators', 'operators.id', 'told_by')
    .select(['sent_before_stop.lead_id as id', 'stopped_at as stoppedAt'])
    .select(['told_at as toldAt', 'operators.email as toldBy'])
    .select(sql<number>`case when ${wasSent} then 1 else 0 end`.as('was_sent'))
    .select((eb) => [
      eb
        .selectFrom('attempts')
        .select(({ fn }) => fn.max('started_at').as('at'))
        .whereRef('delivery_id', '=', 'deliveries.id')
        .as('sentAt'),
    ])
    .orderBy(sql`case when told_at is null then 0 else 1 end`)
    .orderBy('stopped_at', 'desc')
    .orderBy('sent_before_stop.lead_id')
    .limit(maxListedSentLeads)
    .execute()
  const told = await db
    .selectFrom('notifications')
    .innerJoin('webhooks', 'webhooks.id', 'destination')
    .select(['lead_id', 'webhooks.url'])
    .distinct()
    .where('lead_id', 'in', rows.map(({ id }) => id).concat(''))
    .where(carriesAnswers)
    .execute()
  const webhooks = Map.groupBy(told, ({ lead_id }) => lead_id)
  return rows.map(({ was_sent, ...row }) => ({
    ...row,
    receivers: [
      ...(was_sent === 1 ? ['the distributor'] : []),
      // Only the host is shown, because a URL may contain a secret.
      ...(webhooks.get(row.id) ?? []).map(({ url }) => new URL(url).host),
    ],
  }))
}
