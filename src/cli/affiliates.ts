import { type Command, InvalidArgumentError } from 'commander'
import {
  type Affiliate,
  type AffiliateFormValues,
  type AffiliateRemoval,
  affiliateFields,
  postbackWithoutMacro,
  toAffiliateFormValues,
} from '#domain/affiliate/affiliate.ts'
import { formatScorecard, type Scorecard } from '#domain/affiliate/scorecard.ts'
import { type Cap, describeLimits, describeRelease, describeScope } from '#domain/delivery/cap.ts'
import { describeRejectionCause, leadOutcomes } from '#domain/lead/lead-outcomes.ts'
import { describeMissingComparison } from '#domain/measuring/comparison.ts'
import { makeComparedPeriods } from '#domain/measuring/periods.ts'
import { capitalize } from '#domain/text/capitalize.ts'
import { formatDollars } from '#domain/text/format-dollars.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { makeAffiliateActions } from '#server/affiliates/manage-affiliates.ts'
import { readComparedScorecards, readScorecards } from '#server/measuring/read-scorecards.ts'
import type { Store } from '#server/store/open-store.ts'
import { makeCliCapActions } from './deliveries.ts'
import { CommandError, exitCodes } from './errors.ts'
import {
  allowsPrivateDestinations,
  findCliActor,
  readServerSettings,
  withStore,
  withStoreForChanges,
} from './store.ts'
import {
  confirm,
  formatTable,
  type JsonOption,
  makeCommand,
  makeCommandGroup,
  parseStartTime,
  print,
  printJson,
  type RemoveOptions,
  skipConfirmation,
  toIsoTime,
} from './terminal.ts'

interface PeriodOptions extends JsonOption {
  readonly from?: number
}

export function makeAffiliatesCommand(): Command {
  const make = (name: string, description: string, example: string) =>
    makeCommand(name, description, { examples: [`affiliates ${name} ${example}`] })
  const withId = (command: Command) =>
    command.argument('<id>', 'an id in the affiliate’s links, or the affiliate’s id in the store')
  const withPeriod = (command: Command) =>
    command.option(
      '--from <when>',
      'the start of the period: a day, a time (UTC) or an age such as 90d (default: 30d)',
      parseStartTime,
    )
  const about = 'the partners that send visitors, and the results of these visitors’ leads'
  return makeCommandGroup('affiliates', about, 'list', [
    withPeriod(
      make('list', 'lists affiliates, and ids in leads that belong to no affiliate', '--from 90d'),
    ).action(runList),
    withPeriod(
      withId(make('show', 'shows an affiliate’s figures, beside the previous period’s', 'a7')),
    ).action(runShow),
    withId(
      make(
        'set',
        'changes an affiliate; adds one if no affiliate has the id',
        'a7 --name "Acme Media" --payout 12.50',
      ),
    )
      .option('--name <name>', 'the affiliate’s name (default: its id)')
      .option('--ids <ids...>', 'every id in the affiliate’s links')
      .option('--payout <dollars>', 'what the affiliate gets for each accepted lead, in US dollars')
      .option(
        '--postback <template>',
        'the template of the URL that the server calls with each result',
      )
      .option('--postback-without-macro', 'save a --postback that has no macro')
      .option('--notes <text>', 'notes for operators')
      .option(
        '--cap <n/period>',
        'the most leads from this affiliate that the distributor gets, such as 100/day or 2000/month',
        parseCapOption,
      )
      .action(runSet),
    withId(
      make('remove', 'removes an affiliate and its caps; leads keep their affiliate ids', 'a7'),
    )
      .option('--yes', skipConfirmation)
      .action(runRemove),
  ])
}

const affiliatesOf = ({ operators, audit, clock }: Store) =>
  makeAffiliateActions(
    { ...operators, audit, clock },
    { allowsLocal: allowsPrivateDestinations(), zone: readServerSettings().delivery.zone },
  )

async function runList({ from, ...options }: PeriodOptions): Promise<void> {
  const { range } = makeComparedPeriods({ from }, 'days', Date.now())
  const found = await withStore(async (store) => {
    const all = await affiliatesOf(store).list(findCliActor())
    return readScorecards(store.funnel, all, range)
  }, options)
  const since = toIsoTime(range.since)
  if (options.json) {
    return printJson({
      since,
      affiliates: found.affiliates.map(({ affiliate, ...card }) => ({
        ...affiliate,
        ...toJson(card),
      })),
      unknown: found.unknown.map(({ id, figures: { visits, leads } }) => ({ id, visits, leads })),
    })
  }
  const rows = found.affiliates.map(({ affiliate, ...scorecard }) => {
    const measures = formatScorecard(scorecard)
    return [affiliate.name, affiliate.ids.join(' '), ...listed.map((name) => measures[name] ?? '')]
  })
  const unknown = found.unknown.map(({ id, figures }) => [id, `${figures.leads}`])
  print(`Leads received since ${since}\n`)
  print(formatTable(['Name', 'Ids', ...listed], rows))
  print(`\n${formatTable(['Unknown affiliate id', 'Leads'], unknown)}`)
}

const listed = ['Leads', 'Acceptance rate', 'Payout', 'Cost per accepted lead']

/** Omits the time per step and the Web Vitals, which only the console's page Funnel shows. */
const toJson = ({ figures: { steps: _, vitals: __, ...counts }, ...card }: Scorecard) => ({
  ...{ ...counts, ...card },
})

async function runShow(id: string, { from, ...options }: PeriodOptions): Promise<void> {
  const { range, before } = makeComparedPeriods({ from }, 'days', Date.now())
  const { affiliate, caps, now, earlier, comparison } = await withStore(async (store) => {
    const found = await findAffiliate(store, id)
    const caps = await makeCliCapActions(store).list(findCliActor())
    return {
      affiliate: found,
      caps: caps.filter(({ affiliateId }) => affiliateId === found.id),
      ...(await readComparedScorecards(store.funnel, found, { range, before })),
    }
  }, options)
  const since = toIsoTime(range.since)
  const missing = describeMissingComparison(comparison)
  if (options.json) {
    const cards = { now: toJson(now), earlier: toJson(earlier) }
    return printJson({ ...affiliate, caps, since, ...cards, noComparison: missing || null })
  }
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
  const capLines = caps.map(
    (cap) =>
      `Cap: ${describeScope(cap)}: ${describeLimits(cap)} (${cap.used} used, ${cap.held} held)\n`,
  )
  print(`${affiliate.name} (${affiliate.ids.join(', ')})\n${affiliate.notes}\n${capLines.join('')}`)
  print(formatTable(['Measure', `Since ${since}`, `Since ${toIsoTime(before.since)}`], rows))
  if (missing !== '') print(`\n${missing}`)
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

async function findAffiliate(store: Store, id: string) {
  const found = await affiliatesOf(store).find(findCliActor(), id)
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

type SetOptions = JsonOption &
  Partial<Omit<AffiliateFormValues, 'ids'>> & {
    ids?: readonly string[]
    cap?: AffiliateCap
    postbackWithoutMacro?: true
  }

async function runSet(id: string, { json, ids, cap, ...options }: SetOptions): Promise<void> {
  const { postbackWithoutMacro: withoutMacro, ...given } = options
  const actor = findCliActor()
  const { isNew, saved } = await withStoreForChanges(
    async (store) => {
      const affiliates = affiliatesOf(store)
      const known = await affiliates.find(actor, id)
      const texts = known
        ? toAffiliateFormValues(known)
        : { ...{ name: id, ids: id }, payout: '', postback: '', notes: '' }
      const typed = { ...texts, ...given, ids: ids?.join('\n') ?? texts.ids }
      const { details, errors } = affiliates.parse(typed, { known, withoutMacro })
      const isWrong = Object.keys(errors).length > 0
      const saved = isWrong
        ? { id, errors }
        : await affiliates.save(actor, details, known, withoutMacro)
      if (cap && Object.keys(saved.errors).length === 0) {
        const outcome = await makeCliCapActions(store).setForAffiliate(actor, saved.id, cap)
        if (outcome !== 'saved') {
          throw new CommandError('The affiliate is saved, but its cap is not. See “caps list”.')
        }
      }
      return { isNew: known === undefined, saved }
    },
    { json },
  )
  const faults = affiliateFields
    .filter((field) => saved.errors[field] !== undefined)
    .map((field) => `--${field}: ${saved.errors[field]}`)
  if (faults.length > 0) {
    const isUnconfirmed = saved.errors.postback === postbackWithoutMacro
    const hint = isUnconfirmed ? '\nTo confirm, add --postback-without-macro.' : ''
    throw new CommandError(`${faults.join('\n')}${hint}\nNothing was changed.`, exitCodes.usage)
  }
  if (json) return printJson({ id: saved.id, isNew })
  print(
    `The affiliate ${saved.id} was ${isNew ? 'added' : 'changed'}.${cap ? ' Within a second, the workers send the leads that its cap now allows.' : ''}`,
  )
}

async function runRemove(id: string, { yes, ...options }: RemoveOptions): Promise<void> {
  const { affiliate, due } = await withStoreForChanges(async (store) => {
    const actor = findCliActor()
    const affiliate = await findAffiliate(store, id)
    if (!yes) {
      const removal = await affiliatesOf(store).previewRemoval(actor, affiliate)
      await confirm(describeRemoval(affiliate, removal))
    }
    return { affiliate, due: await affiliatesOf(store).remove(actor, affiliate) }
  }, options)
  if (options.json) return printJson({ id: affiliate.id, removed: true, due })
  print(
    `${affiliate.name} was removed. Its leads keep their affiliate ids. Its caps held ${pluralize(due, 'lead')}; the workers send those that no other cap holds.`,
  )
}

function describeRemoval(
  { name, payoutCents, notes }: Affiliate,
  removal: AffiliateRemoval,
): string {
  const { caps, waitingPostbacks } = removal
  return [
    `Removed with ${name}: its ids, payout (${payoutCents === null ? 'none' : formatDollars(payoutCents)}), postback URL and notes (${notes || 'none'}), and ${pluralize(caps.length, 'cap')}${caps.length > 0 ? ` (${caps.join('; ')})` : ''}.`,
    ...(caps.length > 0 ? [describeRelease(removal)] : []),
    `${pluralize(waitingPostbacks, 'waiting postback is', 'waiting postbacks are')} not sent. The audit log keeps the values.`,
    'Remove the affiliate?',
  ].join('\n')
}
