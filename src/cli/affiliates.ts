import { type Command, InvalidArgumentError } from 'commander'
import {
  type Affiliate,
  type AffiliateChange,
  type AffiliateFormValues,
  toAffiliateFormValues,
} from '#domain/affiliate/affiliate.ts'
import { formatScorecard, type Scorecard } from '#domain/affiliate/scorecard.ts'
import { formatIsoTime } from '#domain/calendar.ts'
import { type Cap, describeLimits, describeScope } from '#domain/delivery/cap.ts'
import { describeRejectionCause, leadOutcomes } from '#domain/lead/lead-status.ts'
import { describeMissingComparison } from '#domain/measuring/periods.ts'
import { findRequiredReasonError, maxLeadReasonLength } from '#domain/operator/messages.ts'
import { capitalize, pluralize } from '#domain/text/formats.ts'
import { readComparedScorecards, readScorecards } from '#server/measuring/read-scorecards.ts'
import { makeCommand, makeCommandGroup } from './command.ts'
import { CommandError, exitCodes } from './errors.ts'
import { makeProgramOption } from './program-option.ts'
import { addRangeOptions, formatPeriod, type RangeOptions, readPeriods } from './range-options.ts'
import type { CommandContext } from './store.ts'
import { type ConfirmOption, confirm, formatTable, skipConfirmation } from './terminal.ts'

export const affiliateHelp = 'an id in the affiliate’s links, or the affiliate’s id in the store'

export function makeAffiliatesCommand(): Command {
  const make = (name: string, description: string, example: string) =>
    makeCommand(name, description, [`affiliates ${name} ${example}`])
  const about = 'the partners that send visitors, and the results of these visitors’ leads'
  return makeCommandGroup('affiliates', about, 'list', [
    addRangeOptions(
      make(
        'list',
        'lists affiliates, and ids in leads that belong to no affiliate',
        '--range last-month',
      ),
    ).readsStore(runList),
    addRangeOptions(
      make('show', 'shows an affiliate’s figures, beside those of the period before', 'a7'),
    )
      .argument('<id>', affiliateHelp)
      .readsStore(runShow),
    make(
      'set',
      'changes an affiliate; adds one if no affiliate has the id',
      'a7 --name "Acme Media" --payout 12.50',
    )
      .argument('<id>', affiliateHelp)
      .option('--name <name>', 'the affiliate’s name (default: its id)')
      .option('--payout <dollars>', 'what the affiliate gets for each accepted lead, in US dollars')
      .option('--from <day>', 'the day from which the payout counts (default: today)')
      .addOption(makeProgramOption('payout'))
      .option(
        '--postback <template>',
        'the template of the URL that the server calls with a result',
      )
      .option(
        '--cap <n/period>',
        'the most leads from this affiliate that the distributor gets, such as 100/day or 2000/month',
        parseCapOption,
      )
      .changesStore(runSet),
    ...(['stop', 'start'] as const).map((change) =>
      make(
        change,
        changeDescriptions[change],
        `a7 --reason "${change === 'stop' ? 'bought leads' : 'no more bought leads'}"`,
      )
        .argument('<id>', affiliateHelp)
        .requiredOption(
          '--reason <text>',
          'why, without names: the audit log keeps it',
          parseReason,
        )
        .changesStore((context, key: string, { reason }: { reason: string }) =>
          runChange(context, key, change, reason),
        ),
    ),
    make('remove', 'removes an affiliate and its caps; leads keep their affiliate ids', 'a7')
      .argument('<id>', affiliateHelp)
      .option('--yes', skipConfirmation)
      .changesStore(runRemove),
  ])
}

const changeDescriptions = {
  stop: 'stops an affiliate: its new leads wait in quarantine, unpaid',
  start: 'starts a stopped affiliate again',
} as const

function parseReason(text: string): string {
  const error = findRequiredReasonError(text, maxLeadReasonLength)
  if (error !== undefined) throw new InvalidArgumentError(error)
  return text.trim()
}

async function runChange(
  context: CommandContext,
  id: string,
  change: AffiliateChange,
  reason: string,
) {
  const affiliate = await findAffiliate(context, id)
  const { actor, actions } = context
  const isChanged = await actions.affiliates.change(actor, affiliate, change, reason)
  const state = change === 'stop' ? 'stopped' : 'started'
  const effect =
    change === 'stop'
      ? 'Its new leads wait in quarantine, unpaid. Leads that came before are still sent.'
      : 'Workers send its new leads again. Leads in quarantine stay there.'
  return {
    json: { id: affiliate.id, stopped: change === 'stop', changed: isChanged },
    text: isChanged
      ? `${affiliate.name} is ${state}. ${effect}`
      : `${affiliate.name} was already ${state}. Nothing was changed.`,
  }
}

async function runList(context: CommandContext, options: RangeOptions) {
  const { store, actor, actions } = context
  const { range } = readPeriods(context, options)
  const all = await actions.affiliates.list(actor)
  const { affiliates, unknown } = await readScorecards(store.funnel, all, range)
  const since = formatIsoTime(range.since, store.zone)
  const note = await store.funnel.describeEarlierZone(range.first)
  const rows = affiliates.map(({ affiliate, ...scorecard }) => {
    const measures = formatScorecard(scorecard)
    const name = `${affiliate.name}${affiliate.stoppedAt === null ? '' : ' (stopped)'}`
    return [name, affiliate.ids.join(' '), ...listed.map((name) => measures[name] ?? '')]
  })
  const unknownRows = unknown.map(({ id, figures }) => [id, `${figures.leads}`])
  return {
    json: {
      since,
      affiliates: affiliates.map(({ affiliate, ...card }) => ({ ...affiliate, ...toJson(card) })),
      unknown: unknown.map(({ id, figures: { visits, leads } }) => ({ id, visits, leads })),
    },
    text: [
      `Leads received ${formatPeriod(range)}\n`,
      formatTable(['Name', 'Ids', ...listed], rows),
      `\n${formatTable(['Unknown affiliate id', 'Leads'], unknownRows)}`,
      ...(note === '' ? [] : [`\n${note}`]),
    ].join('\n'),
  }
}

const listed = ['Leads', 'Acceptance rate', 'Owed', 'Payout per kept lead']

/** Omits the time per step and the Web Vitals, which only the console's page Funnel shows. */
const toJson = ({ figures: { steps: _, vitals: __, ...counts }, ...card }: Scorecard) => ({
  ...counts,
  ...card,
})

async function runShow(context: CommandContext, id: string, options: RangeOptions) {
  const { store, actor, actions } = context
  const periods = readPeriods(context, options)
  const affiliate = await findAffiliate(context, id)
  const { now, earlier, comparison } = await readComparedScorecards(
    store.funnel,
    affiliate,
    periods,
  )
  const all = await actions.caps.list(actor)
  const caps = all.filter(({ affiliateId }) => affiliateId === affiliate.id)
  const since = formatIsoTime(periods.range.since, store.zone)
  const note = await store.funnel.describeEarlierZone(periods.before.first)
  const missing = describeMissingComparison(comparison)
  const these = describe(now)
  const hasLeads = comparison.noLeads === undefined
  const those = {
    ...(hasLeads ? describe(earlier) : {}),
    ...formatScorecard(earlier, comparison),
  }
  const rows = Object.keys({ ...these, ...those }).map((name) => [
    name,
    these[name] ?? '0',
    those[name] ?? (hasLeads ? '0' : '–'),
  ])
  const cards = { now: toJson(now), earlier: toJson(earlier) }
  return {
    json: { ...affiliate, caps, since, ...cards, noComparison: missing || null },
    text: [
      `${affiliate.name} (${affiliate.ids.join(', ')})`,
      affiliate.notes,
      ...(affiliate.stoppedAt === null
        ? []
        : [
            `Stopped since ${formatIsoTime(affiliate.stoppedAt, store.zone)}: ${affiliate.stopReason}`,
          ]),
      ...caps.map(
        (cap) =>
          `Cap: ${describeScope(cap)}: ${describeLimits(cap)} (${cap.used} used, ${cap.held} held)`,
      ),
      '',
      formatTable(['Measure', ...[periods.range, periods.before].map(formatPeriod)], rows),
      ...[missing, note].filter(Boolean).map((text) => `\n${text}`),
    ].join('\n'),
  }
}

function describe(card: Scorecard): Readonly<Record<string, string>> {
  const { returned, retried, byStatus, rejectedBecause } = card.figures
  const counts = [
    ['Returned', returned],
    ['Retried after a rejection', retried],
    ...leadOutcomes.map(([key, name]) => [capitalize(name), byStatus[key] ?? 0]),
    ...Object.entries(rejectedBecause).map(([cause, n]) => [describeRejectionCause(cause), n]),
  ]
  return {
    ...formatScorecard(card),
    ...Object.fromEntries(counts.map(([name, count]) => [name, `${count}`])),
  }
}

async function findAffiliate({ actions, actor }: CommandContext, id: string): Promise<Affiliate> {
  const found = await actions.affiliates.find(actor, id)
  if (found) return found
  throw new CommandError('No affiliate has this id. “affiliates list” shows all affiliates.')
}

type AffiliateCap = Pick<Cap, 'maxLeads' | 'period'>

function parseCapOption(text: string): AffiliateCap {
  const [, most, period] = /^(\d{1,6})\/(day|month)$/.exec(text) ?? []
  if (most === undefined) {
    throw new InvalidArgumentError('Give a number of leads a day or a month, such as 100/day.')
  }
  return { maxLeads: Number(most), period: period === 'day' ? 'day' : 'month' }
}

interface SetOptions extends Partial<Pick<AffiliateFormValues, 'name' | 'payout' | 'postback'>> {
  readonly from?: string
  readonly program?: string
  readonly cap?: AffiliateCap
}

async function runSet(
  { actor, actions: { affiliates, caps, datedValues } }: CommandContext,
  id: string,
  { name, payout, from, program, postback, cap }: SetOptions,
) {
  const known = await affiliates.find(actor, id)
  const texts = known
    ? toAffiliateFormValues(known)
    : { name: id, ids: id, payout: '', postback: '', notes: '' }
  const isDated = from !== undefined || program !== undefined
  const given = {
    name: name ?? texts.name,
    payout: (isDated ? undefined : payout) ?? texts.payout,
    postback: postback ?? texts.postback,
  }
  const saved = await affiliates.saveForm(actor, { ...texts, ...given }, known)
  const options: Record<string, string | undefined> = { ...saved.errors }
  if (isDated && Object.keys(saved.errors).length === 0) {
    const value = { amount: payout ?? '', startsOn: from ?? '', program: program ?? '' }
    const errors = await datedValues.set(actor, { id: saved.id, name: given.name }, value)
    Object.assign(options, {
      payout: errors.amount,
      from: errors.startsOn,
      program: errors.program,
    })
  }
  const faults = Object.entries(options)
    .filter(([, fault]) => fault !== undefined)
    .map(([option, fault]) => `--${option}: ${fault}`)
  if (faults.length > 0) {
    const isSaved = Object.keys(saved.errors).length === 0
    const end = isSaved ? 'The payout was not set.' : 'Nothing was changed.'
    throw new CommandError(`${faults.join('\n')}\n${end}`, exitCodes.usage)
  }
  const capOutcome = cap && (await caps.setForAffiliate(actor, saved.id, cap))
  if (capOutcome !== undefined && capOutcome !== 'saved' && capOutcome !== 'unchanged') {
    throw new CommandError(
      'The affiliate is saved, but its cap is not. See the console’s page Caps.',
    )
  }
  const next = cap ? ' Within a second, the workers send the leads that its cap now allows.' : ''
  return {
    json: { id: saved.id, isNew: known === undefined },
    text: `The affiliate ${saved.id} was ${known ? 'changed' : 'added'}.${next}`,
  }
}

async function runRemove(context: CommandContext, id: string, { yes }: ConfirmOption) {
  const {
    actor,
    actions: { affiliates },
  } = context
  const affiliate = await findAffiliate(context, id)
  if (!yes) {
    const { caps, waitingPostbacks } = await affiliates.previewRemoval(actor, affiliate)
    const lost = [pluralize(caps.length, 'cap'), pluralize(waitingPostbacks, 'waiting postback')]
    await confirm(`Remove ${affiliate.name} with ${lost.join(' and ')}?`)
  }
  const due = await affiliates.remove(actor, affiliate)
  return {
    json: { id: affiliate.id, removed: true, due },
    text: `${affiliate.name} was removed. Its leads keep their affiliate ids. Its caps held ${pluralize(due, 'lead')}; the workers send those that no other cap holds.`,
  }
}
