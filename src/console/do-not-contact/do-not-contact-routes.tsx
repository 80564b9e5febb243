import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { makeLeadPath } from '#console/lead/lead-actions.tsx'
import { readCsvForm } from '#console/requests/csv-form.tsx'
import { readForm, readRawFields } from '#console/requests/read-form.ts'
import { showError } from '#console/requests/render-pages.tsx'
import { toDay } from '#domain/calendar.ts'
import { emptyFilter } from '#domain/lead/lead-filter.ts'
import {
  findReasonError,
  type Message,
  makeFieldMessage,
  makeProblemMessage,
  makeSuccessMessage,
  maxLeadReasonLength,
} from '#domain/operator/messages.ts'
import { capitalize, pluralize } from '#domain/text/formats.ts'
import { describeDay } from '#domain/text/time-formats.ts'
import {
  describeLeft,
  describeStop,
  explainUnfinished,
  type StopResult,
} from '#server/delivery/manage-do-not-contact.ts'
import { parseTypedContact } from '#server/delivery/parse-do-not-contact.ts'
import type { Contact } from '#server/leads/do-not-contact.ts'
import { findLeads } from '#server/leads/find-leads.ts'
import { findPersonSearch } from '#server/leads/person-searches.ts'
import { runRateLimitedReveal } from '#server/leads/view-lead.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import { DoNotContactPage, type RefusedList, StopContactPage } from './do-not-contact-page.tsx'

export const doNotContactPath = '/do-not-contact'
export const listImportPath = `${doNotContactPath}/import`

/** Whom an operator wants to stop contact with: the person of a lead, of a search, or one that the operator names. */
type Wanted = Partial<Record<'lead' | 'search' | 'email' | 'phone', string>>

const isTyped = ({ lead, search }: Wanted): boolean => !lead && !search

interface Refused {
  readonly reason?: string
  readonly problem?: Message
  readonly except?: readonly string[]
}

/** The most leads of a search whose people are listed. */
const maxSearched = 1000
const maxShownFaults = 100

/** Lets operators see and change the list of people who asked not to be contacted. */
export function doNotContactRoutes(services: ConsoleServices) {
  const { doNotContact, flash, metrics, store, clock } = services
  const { database, audit } = store.forConsole

  const show = async (c: ConsoleContext, message?: Message, refused?: RefusedList) => {
    const overview = await doNotContact.overview(c.get('actor'))
    return c.render(
      <DoNotContactPage {...overview} refused={refused ?? {}} />,
      message,
      message?.kind === 'problem' ? 422 : 200,
    )
  }

  const findPeople = async (c: ConsoleContext, wanted: Wanted): Promise<readonly Contact[]> => {
    const { lead, search, email = '', phone = '' } = wanted
    if (lead) return doNotContact.contactsOf([lead])
    if (!search) return [parseTypedContact({ email, phone }).contact]
    const found = await findPersonSearch(database.db, search, c.get('actor'), clock())
    // A last name belongs to many people.
    if (found === undefined || found.term === 'name') return []
    const query = { filter: emptyFilter, keys: found.keys, now: clock() }
    const { leads } = await findLeads(database.db, {
      ...query,
      ...{ towards: 'older', take: maxSearched },
    })
    return doNotContact.contactsOf(leads.map(({ id }) => id))
  }

  const readStop = async (c: ConsoleContext) => {
    const form = await readForm(c, 'lead', 'search', 'email', 'phone', 'reason', 'found')
    const { reason, found: shown, lacks: _, ...wanted } = form
    const body = await readRawFields(c)
    const found = shown.split(' ').filter(Boolean)
    // A browser posts only checked boxes.
    const except = found.filter((key) => body[`list-${key}`] === undefined)
    const people = await findPeople(c, wanted)
    return {
      wanted,
      people,
      reason,
      found,
      except,
      error: findReasonError(reason, maxLeadReasonLength),
    }
  }

  /** Limits and audits answers about a typed person: they say whether the person has enquired, as a search does. */
  const countAsSearch = (actor: ConsoleActor, at: number) => {
    const limited = { audit, onTooMany: metrics.countRevealsRefused }
    return runRateLimitedReveal(
      limited,
      actor,
      { at, action: 'searched for a person' },
      async () => true,
    )
  }

  const confirm = async (
    c: ConsoleContext,
    wanted: Wanted,
    people: readonly Contact[],
    { reason, problem, except = [] }: Refused = {},
  ) => {
    if (people.length === 0) {
      const text =
        'The lead may have been erased, or the search may have found nobody. Type the person’s email address or phone number on Do not contact.'
      return showError(c, 'Nobody found', text, 404)
    }
    // The leads of a search have other contacts than the one that was searched for.
    const own = wanted.search ? [] : people
    const preview = await doNotContact.preview(c.get('actor'), people, own)
    const back = wanted.lead ? makeLeadPath(wanted.lead) : doNotContactPath
    const listed = isTyped(wanted)
      ? await describeListed(c.get('actor'), people[0] ?? {})
      : undefined
    return c.render(
      <StopContactPage {...{ preview, wanted, listed, back, reason, except }} />,
      problem,
    )
  }

  const describeListed = async (actor: ConsoleActor, contact: Contact): Promise<string> => {
    const answers = Object.entries(await doNotContact.check(actor, contact)).map(
      ([name, since]) =>
        `${name} ${since === null ? 'not on the list' : `on the list since ${describeDay(toDay(since, store.zone))}`}`,
    )
    return capitalize(answers.join(', '))
  }

  return new Hono<ConsoleEnv>()
    .get(doNotContactPath, (c) => show(c))
    .get(`${doNotContactPath}/stop`, async (c) => {
      authorize(c.get('actor'), 'stop contact', clock())
      const { lead = '', search = '' } = c.req.query()
      const wanted = lead ? { lead } : { search }
      return confirm(c, wanted, await findPeople(c, wanted))
    })
    .post(`${doNotContactPath}/check`, async (c) => {
      const actor = c.get('actor')
      const at = clock()
      authorize(actor, 'stop contact', at)
      const { lacks: _, ...typed } = await readForm(c, 'email', 'phone')
      const { contact, errors } = parseTypedContact(typed)
      if (Object.keys(errors).length > 0) return show(c, makeFieldMessage(errors), { typed })
      await countAsSearch(actor, at)
      return confirm(c, typed, [contact])
    })
    .post(`${doNotContactPath}/stop`, async (c) => {
      const actor = c.get('actor')
      authorize(actor, 'stop contact', clock())
      const { wanted, people, reason, except, error } = await readStop(c)
      // The result says whether the person has enquired, too.
      if (isTyped(wanted)) await countAsSearch(actor, clock())
      if (error !== undefined || people.every((one) => Object.keys(one).length === 0)) {
        const problem = makeFieldMessage({ reason: error })
        return confirm(c, wanted, people, { reason, problem, except })
      }
      const about = { reason: reason.trim(), ...(wanted.lead && { subject: wanted.lead }) }
      const result = await doNotContact.stop(actor, people, about, { except })
      return flash.redirect(
        c,
        wanted.lead ? makeLeadPath(wanted.lead) : doNotContactPath,
        makeStopMessage(result, wanted.lead ? undefined : 'below'),
      )
    })
    .post(`${doNotContactPath}/told`, async (c) => {
      const { id } = await readForm(c, 'id')
      const isMarked = await doNotContact.markTold(c.get('actor'), id)
      const message = isMarked
        ? makeSuccessMessage('Marked as told')
        : makeProblemMessage('Somebody has marked the lead already: nothing was changed')
      return flash.redirect(c, `${doNotContactPath}#sent`, message)
    })
    .post(listImportPath, async (c) => {
      const { pasted } = await readForm(c, 'pasted')
      const text = await readCsvForm(c, pasted)
      const result = await doNotContact.import(c.get('actor'), text)
      if (result.kind === 'imported')
        return flash.redirect(c, doNotContactPath, makeStopMessage(result, 'below'))
      const { faults } = result
      if (text.trim() === '') {
        const fields = { file: 'Choose the file, or paste the file’s lines.' }
        return show(c, makeFieldMessage(fields))
      }
      const more = faults.length - maxShownFaults
      const message = makeProblemMessage(
        `Nothing was imported: ${pluralize(faults.length, 'value is', 'values are')} wrong`,
        more > 0 ? `The page lists the first ${maxShownFaults}.` : undefined,
      )
      return show(c, message, { pasted, faults: faults.slice(0, maxShownFaults) })
    })
    .post(`${doNotContactPath}/allow`, async (c) => {
      const actor = c.get('actor')
      authorize(actor, 'allow contact again', clock())
      const { wanted, people, reason, found, except, error } = await readStop(c)
      const { email = '', phone = '' } = wanted
      const { errors } = parseTypedContact({ email, phone })
      if (isTyped(wanted) && Object.keys(errors).length > 0)
        return show(c, makeFieldMessage(errors), { typed: { email, phone } })
      if (error !== undefined) {
        if (isTyped(wanted)) await countAsSearch(actor, clock())
        const problem = makeFieldMessage({ reason: error })
        return confirm(c, wanted, people, { reason, problem, except })
      }
      // Only what the operator has seen and left checked: another person's entry stays.
      const listed = found.filter((key) => !except.includes(key))
      const own = wanted.search ? [] : people
      const { removed, left } = await doNotContact.remove(actor, people, reason.trim(), {
        own,
        listed,
      })
      const message =
        removed === 0
          ? makeProblemMessage('The person wasn’t on the list: nothing was changed')
          : makeSuccessMessage(
              `Removed from the list: ${pluralize(removed, 'entry', 'entries')}`,
              `${describeLeft(left)} To send an earlier lead, select Release or Retry on its page.`.trim(),
            )
      return flash.redirect(c, wanted.lead ? makeLeadPath(wanted.lead) : doNotContactPath, message)
    })
}

/** @param where whether the page that shows the message lists the leads, too */
function makeStopMessage(result: StopResult, where?: 'below') {
  const tell = where ? 'Sent before names them.' : 'the page Do not contact names them.'
  const told = result.sent === 0 ? undefined : `Those who received the leads must be told: ${tell}`
  const unfinished = explainUnfinished(result)
  return unfinished === undefined
    ? makeSuccessMessage(`Contact stopped: ${describeStop(result)}`, told)
    : makeProblemMessage(unfinished, told)
}
