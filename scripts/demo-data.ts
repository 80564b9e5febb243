import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { pino } from 'pino'
import { CommandError, exitCodes } from '#cli/errors.ts'
import { runCommand } from '#cli/leads-command.ts'
import {
  assertNotMoved,
  type CommandContext,
  findCliActor,
  projectFolder,
  readServerSettings,
  withStore,
} from '#cli/store.ts'
import { makeIntegerParser, makeProgressBar, print } from '#cli/terminal.ts'
import { makeSpecifiedDisclosureText } from '#content/site-texts.ts'
import { areas } from '#domain/area.ts'
import { type Day, formatDay, startOfDay, toDay } from '#domain/calendar.ts'
import { findOfferedPrograms, type Program } from '#domain/catalogue/catalogue.ts'
import { day, hour, minute } from '#domain/durations.ts'
import { emptyAnswers } from '#domain/enquiry/answers.ts'
import { type StepNumber, steps } from '#domain/enquiry/enquiry.ts'
import { startDates } from '#domain/enquiry/rules.ts'
import { findTouchSource } from '#domain/lead/attribution.ts'
import { listVisitEvents } from '#domain/measuring/visit.ts'
import { toPlainLine } from '#domain/text/plain-line.ts'
import { catalogueFile, readCatalogue } from '#server/content/read-catalogue.ts'
import type { SendResult } from '#server/delivery/distributor-client.ts'
import { defaultReturnColumns } from '#server/delivery/parse-returns.ts'
import { makeEnquirySubmitter } from '#server/enquiries/submit-enquiry.ts'
import { countVisits } from '#server/measuring/visit-counts.ts'
import { runInTransaction } from '#server/platform/database/retry-conflicts.ts'
import { runAndClose } from '#server/platform/database/run-and-close.ts'
import { openStore, type Store } from '#server/store/open-store.ts'
import { makeOperatorActions } from '#server/store/operator-actions.ts'
import { makeDemoDecisions } from './demo-decisions.ts'
import { makeRandom } from './make-random.ts'

/** Makes the command `npm run demo:data`. It runs from its source, because no product contains it. */
export const makeDemoDataCommand = (): Command =>
  new Command('npm run demo:data --')
    .description('fills an empty demo store with a year of a made-up business')
    .option('--days <n>', 'how many days the data covers', makeIntegerParser(365), 365)
    .addHelpText(
      'after',
      `
Run this command after a first start in demo mode, with the server stopped. It takes a minute or two.
The store gets about 30,000 leads of 40 affiliates and a dozen campaigns, visits, an outage, an affiliate with bad leads
(a13), and returns. Each run makes up the same data, up to the present. The command refuses a store
that a server in production has used, a store with leads, and a store that operators have used.

Examples:
  npm run demo:data
  npm run demo:data -- --days 30`,
    )
    .action(runDemoData)

async function runDemoData({ days }: { readonly days: number }): Promise<void> {
  if (process.env.APP_MODE?.trim() === 'production') {
    throw new CommandError('APP_MODE is production. Nothing was done.', exitCodes.configuration)
  }
  const catalogue = readDemoCatalogue()
  await withStore(
    async (context) => {
      await assertUnused(context)
      const leads = await makeBusiness(context, catalogue, { days, now: Date.now() })
      print(`Store: ${context.store.place} has demo data: ${leads.toLocaleString('en-US')} leads.`)
    },
    { json: false },
  )
}

/**
 * Makes a folder with the store of a made-up business. An interrupted run leaves only a folder with another name, which
 * the next run replaces.
 */
export async function makeDemoFolder(folder: string, days = 365): Promise<void> {
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  const catalogue = readDemoCatalogue()
  const { zone } = readServerSettings().store
  const store = await openStore({ dataDir: unfinished, zone })
  const fill = async () => {
    await store.migrate()
    await store.rememberMode('demo')
    const { audit, clock } = store
    const operators = { ...store.operators, audit, clock }
    const context = { store, actor: findCliActor(), operators }
    await makeBusiness(context, catalogue, { days, now: Date.now() })
  }
  await runAndClose(fill, () => store.close())
  await rename(unfinished, folder)
}

function readDemoCatalogue(): readonly Program[] {
  const catalogue = readCatalogue(resolve(projectFolder, catalogueFile))
  if (catalogue.ok) return catalogue.programs
  throw new CommandError(
    'The programs have faults. Nothing was done. “npm run check” lists the faults.',
    exitCodes.configuration,
  )
}

async function assertUnused({ store, operators, state }: CommandContext): Promise<void> {
  assertNotMoved(state)
  const { place, leads, servers } = state
  const operator = await operators.db
    .selectFrom('operators')
    .select('id')
    .where('email', '<>', 'demo@example.com')
    .executeTakeFirst()
  const mode = await store.mode()
  const why =
    (mode === 'production' && 'is a production store') ||
    (mode === undefined && 'was never started in demo mode') ||
    (leads > 0 && `has ${leads.toLocaleString('en-US')} leads`) ||
    (operator && 'has operators') ||
    (servers.length > 0 && 'is in use by a server: stop it first')
  if (!why) return
  throw new CommandError(
    `The store ${place} ${why}. Nothing was done. Set DATA_DIR to another folder.`,
  )
}

/** Fills the store, and returns the number of leads. */
async function makeBusiness(
  { store, actor }: Pick<CommandContext, 'store' | 'actor'>,
  catalogue: readonly Program[],
  { days, now }: { readonly days: number; readonly now: number },
): Promise<number> {
  const random = makeRandom(20)
  const time = { now: now - days * day }
  const clock = () => time.now
  const actions = makeOperatorActions(store, store, { clock, allowsLocal: true })
  const decisions = makeDemoDecisions({
    ...{ store, actor, actions, clock },
    // The store gets no entry for two affiliates, so that the console shows ids of unknown affiliates.
    affiliates: demoAffiliates.slice(0, 38),
    dearPrograms: findOfferedPrograms(catalogue, 'healthcare')
      .slice(0, 3)
      .map(({ id }) => id),
  })
  await decisions.begin()
  const submit = makeDemoSubmitter(store, random, time)
  const progress = makeProgressBar('Day')
  const visitOf = new Map<string, DemoVisit>()
  let returned: readonly DemoReturn[] = []
  let last: DemoVisit | undefined
  for (let index = 0; index <= days; index++) {
    progress.update(index, days)
    const today = toDay(now, store.zone) - (days - index) * day
    const from = startOfDay(today, store.zone)
    time.now = from
    await decisions.decide(days - index)
    const count = Math.round(290 * (0.7 + (0.6 * index) / days) * (0.9 + 0.2 * random.next()))
    const visits = Array.from({ length: count }, () => drawVisit(random, from, catalogue))
      .filter(({ at, isSkipped }) => at < now - 10 * minute && !isSkipped)
      .toSorted((one, other) => one.at - other.at)
    const sent = visits.filter(({ sends }) => sends).map((visit) => submit(visit))
    for (const [id, visit] of (await Promise.all(sent)).flat()) visitOf.set(id, visit)
    last = visits.findLast(({ sends }) => sends) ?? last
    time.now = Math.min(startOfDay(today + day, store.zone), now)
    await decisions.payForVisits(
      visits.map(({ group }) => group),
      { today, isLast: index === days },
    )
    const counted = visits.map(({ at, group, progress: visit }) => ({
      at,
      group,
      events: listVisitEvents(visit),
    }))
    await runInTransaction(store.database.db, (transaction) =>
      countVisits(transaction, counted, { now: time.now, zone: store.zone }),
    )
    const isOutage = index === 212 || index === 213
    returned = [
      ...returned,
      ...(await deliver(store, random, { now: time.now, visitOf, isOutage })),
    ]
    const due = returned.filter((one) => one.day <= today)
    if ((index % 30 === 29 || index === days) && due.length > 0) {
      const lines = due.map((one) => `${one.leadId},${formatDay(one.day)},${one.reason}`)
      await actions.returns.import(
        actor,
        ['reference,date,reason', ...lines].join('\n'),
        defaultReturnColumns,
      )
      returned = returned.filter((one) => one.day > today)
    }
  }
  const [listed] = await decisions.end()
  if (last && listed) await submit({ ...last, at: now - minute }, { email: listed })
  progress.end()
  return visitOf.size
}

const noMetrics = {
  countAccepted: () => undefined,
  countRefused: () => undefined,
  timeAccept: <Result>(accept: () => Promise<Result>) => accept(),
}

/** Submits a visit's enquiry as the site does. Visitors from the affiliate `a13` often enquire twice, or are robots. */
function makeDemoSubmitter(store: Store, random: Random, time: { now: number }) {
  const submit = makeEnquirySubmitter({
    intake: store.intake,
    disclosure: () => makeSpecifiedDisclosureText('Larkspur Online University'),
    clock: () => time.now,
    visitorIp: () => '203.0.113.7',
    log: pino({ level: 'silent' }),
    findOrigin: () => 'https://www.example.com',
    onDeliveryDue: () => undefined,
    metrics: noMetrics,
  })
  const head = { header: () => undefined, remoteAddress: '203.0.113.7' }
  let person = 0
  return async (
    visit: DemoVisit,
    known: { readonly email?: string } = {},
  ): Promise<readonly (readonly [string, DemoVisit])[]> => {
    const { at, group, progress, touch, affiliate, program } = visit
    const isRobot = random.happens(affiliate?.isBad ? 0.06 : 0.002)
    const enquiry = {
      area: group.area,
      answers: { ...drawAnswers(random, person++, program), ...known },
      program,
      addressVerified: random.happens(0.93),
      zipPlus4: undefined,
      subId: affiliate?.affid,
      device: group.device,
      pageOpenMs: progress.openMs,
      attribution: { first: touch, last: touch },
      evidence: {
        honeypot: isRobot ? 'x' : '',
        filledInMs: progress.openMs,
        network: 'quiet' as const,
      },
    }
    const times = random.happens(affiliate?.isBad ? 0.15 : 0.02) ? [at, at + minute] : [at]
    const results = times.map((now) => {
      // `submit` reads the clock before its first `await`, so each enquiry gets its own time.
      time.now = now
      return submit(head, enquiry, randomUUID())
    })
    return (await Promise.all(results)).flatMap((submitted) =>
      submitted.outcome === 'stored' ? [[submitted.result.id, visit] as const] : [],
    )
  }
}

/**
 * Records the deliveries of a day's leads with made-up answers of the distributor.
 * @returns the leads that the distributor takes back within four weeks
 */
async function deliver(
  store: Store,
  random: Random,
  { now, visitOf, isOutage }: { now: number; visitOf: Map<string, DemoVisit>; isOutage: boolean },
) {
  const returned: DemoReturn[] = []
  const today = toDay(now, store.zone)
  for (;;) {
    const due = await store.queue.claimDue({
      now,
      leaseUntil: now + minute,
      limit: 200,
      zone: store.zone,
    })
    if (due.length === 0) return returned
    await Promise.all(
      due.map(({ id: deliveryId, lease, lead }) => {
        const visit = visitOf.get(lead.id)
        const isLate = now - lead.receivedAt > day
        const startedAt = isLate ? now : Math.min(lead.receivedAt + random.integer(900, 4000), now)
        const durationMs = random.integer(120, 1900)
        const [settledAs, result] = isOutage
          ? unavailable
          : answer(
              random,
              visit?.accepted ?? 0.9,
              'state' in lead && farStates.includes(lead.state),
            )
        if (settledAs === 'delivered' && random.happens(visit?.affiliate?.isBad ? 0.24 : 0.025)) {
          const reason = random.pick(['wrong number', 'not interested', 'under 18'])
          // Most come back soon: the product of two draws is often small.
          const daysLater = Math.floor(28 * random.next() * random.next())
          returned.push({ leadId: lead.id, day: today + daysLater * day, reason })
        }
        return store.queue.record({
          id: randomUUIDv7(),
          deliveryId,
          lease,
          startedAt,
          durationMs,
          ...result,
          next: settledAs
            ? { settledAs, at: startedAt + durationMs }
            : { retryAt: now + hour, setBy: 'schedule' },
        })
      }),
    )
  }
}

interface DemoReturn {
  readonly leadId: string
  readonly day: Day
  readonly reason: string
}

type Answer = readonly [settledAs: 'delivered' | 'rejected' | 'dead' | undefined, SendResult]

const unavailable: Answer = [undefined, { outcome: { name: 'busy', httpStatus: 503 } }]

/** @param accepted the share of leads that the distributor accepts, from 0 to 1; fewer from far states */
function answer(random: Random, accepted: number, isFar: boolean): Answer {
  const httpStatus = 200
  if (random.happens(isFar ? accepted * 0.8 : accepted))
    return ['delivered', { outcome: { name: 'delivered', httpStatus } }]
  if (random.happens(0.005)) {
    return ['dead', { outcome: { name: 'broken', httpStatus: 500, reason: 'server-error' } }]
  }
  const reason = isFar && random.happens(0.7) ? rejections[3] : random.pick(rejections)
  const response = toPlainLine(reason)
  const outcome = { name: 'rejected', httpStatus } as const
  return [
    'rejected',
    { outcome: response === rejections[0] ? { ...outcome, cause: 'cap' } : outcome, response },
  ]
}

const rejections = [
  'Reached the monthly offer cap',
  'Duplicate lead',
  'Invalid phone number',
  'Outside of service area',
] as const

type Random = ReturnType<typeof makeRandom>

/** A source of visits: its share of visits in percent, the share of enquiries, and the share of accepted leads. */
type Campaign = readonly [
  visits: number,
  sends: number,
  accepted: number,
  touch: readonly (readonly [name: string, value: string])[],
  clickId?: 'gclid' | 'fbclid' | 'msclkid',
]

const utm = (source: string, medium: string, campaign: string) =>
  [
    ['utm_source', source],
    ['utm_medium', medium],
    ['utm_campaign', campaign],
  ] as const

const campaigns: readonly Campaign[] = [
  [14, 0.42, 0.93, utm('google', 'cpc', 'brand'), 'gclid'],
  [9, 0.33, 0.91, utm('google', 'cpc', 'nursing'), 'gclid'],
  [8, 0.27, 0.86, utm('google', 'cpc', 'mba'), 'gclid'],
  [10, 0.16, 0.78, utm('facebook', 'paid-social', 'lookalike'), 'fbclid'],
  [4, 0.36, 0.9, utm('facebook', 'paid-social', 'retargeting'), 'fbclid'],
  [6, 0.38, 0.92, utm('bing', 'cpc', 'brand'), 'msclkid'],
  [5, 0.5, 0.95, utm('newsletter', 'email', 'open-house')],
  [5, 0.12, 0.84, [['referrer', 'reddit.com']]],
  [8, 0.3, 0.9, []],
]

const words = ['Career', 'Campus', 'Degree', 'Study', 'Learning', 'Future', 'Scholar', 'College']
const moreWords = ['Path', 'Finder', 'Compass', 'Match', 'Guide']

const affiliateCampaigns = ['evening-classes', 'career-change', 'spring-start', 'nursing-online']

/** The affiliates of the demo. The affiliate `a13` sends many bad leads. */
const demoAffiliates = Array.from({ length: 40 }, (_, index) => {
  const name = `${words[index % 8]} ${moreWords[Math.floor(index / 8)]}`
  return {
    name,
    affid: `a${index + 1}`,
    payoutCents: 1800 + (index % 9) * 250,
    isBad: index === 12,
    source: name.toLowerCase().replace(' ', '-'),
    campaigns: affiliateCampaigns.slice(index % 3, (index % 3) + 1 + (index % 2)),
  }
})

const origins = [
  ...campaigns.map(([visits, sends, accepted, touch, clickId]) => ({
    visits,
    sends,
    accepted,
    touch,
    clickId,
    affiliate: undefined,
  })),
  ...demoAffiliates.map((affiliate, index) => ({
    visits: 17 / (index + 8),
    sends: 0.3,
    touch: [],
    clickId: 'click_id',
    affiliate,
    accepted: affiliate.isBad ? 0.41 : 0.8 + (index % 7) * 0.02,
  })),
]

type DemoVisit = ReturnType<typeof drawVisit>

/** How long half of the visitors take for each step, in milliseconds: an address takes longer than an education. */
const typicalMs = [58_000, 36_000, 15_000, 23_000]

/** Makes up one visit of a day, and whether the visitor sends an enquiry. */
function drawVisit(random: Random, day: number, catalogue: readonly Program[]) {
  const { affiliate, accepted, ...origin } = drawOrigin(random)
  const area = random.pick(areas)
  const device = random.pick(['phone', 'phone', 'phone', 'tablet', 'desktop', 'desktop'] as const)
  const program = random.pick(findOfferedPrograms(catalogue, area))
  const sends = random.happens(origin.sends * (device === 'phone' ? 0.9 : 1.1))
  const step = (sends ? 4 : Math.min(3, Math.floor(random.next() ** 2 * 4.6))) as StepNumber
  const touch: Readonly<Record<string, string>> = Object.fromEntries([
    ...origin.touch,
    ...(origin.clickId && !affiliate
      ? [['utm_content', random.pick(['headline-a', 'headline-b', 'video'])] as const]
      : []),
    // One visit in eight comes by a link without a campaign.
    ...(affiliate && random.happens(0.875)
      ? utm(affiliate.source, 'affiliate', random.pick(affiliate.campaigns))
      : []),
    ...(origin.clickId ? [[origin.clickId, random.integer(0, 2 ** 31).toString(36)]] : []),
  ])
  const [weekday, slow] = [new Date(day).getUTCDay(), device === 'phone' ? 2 : 1]
  const field = random.pick(steps[step]?.fields ?? [])
  const upToStep = (draw: (step: number) => number) =>
    [0, 1, 2, 3].map((n) => (n > step ? 0 : draw(n)))
  // Some people type slowly in every step, and everybody is slow in some step.
  const drawPace = () => 4 ** (random.next() + random.next() - 1)
  const pace = drawPace() * (device === 'phone' ? 1.3 : 1)
  const visibleMs = upToStep((n) => Math.round((typicalMs[n] ?? 0) * pace * drawPace()))
  const busyMs = visibleMs.reduce((sum, ms) => sum + ms)
  return {
    // Most visitors come in the afternoon and evening in the USA, and fewer visitors come on weekends.
    at: day + Math.floor((8 + 7 * (random.next() + random.next())) * hour),
    isSkipped: weekday % 6 === 0 && random.happens(0.4),
    touch,
    affiliate,
    accepted,
    sends,
    program,
    group: {
      area,
      device,
      program: step > 2 ? program.id : null,
      source: findTouchSource(touch) ?? null,
      campaign: touch.utm_campaign ?? null,
      affiliate: affiliate?.affid ?? null,
    },
    progress: {
      step,
      isStarted: step > 0 || random.happens(0.25),
      ...(field && { field }),
      // Some visitors look at other tabs in between.
      openMs: Math.round(busyMs * (1 + 3 * random.next() ** 6)),
      shown: [...upToStep(() => (random.happens(0.08) ? 2 : 1)), sends ? 1 : 0],
      visibleMs,
      refused:
        step > 0 && random.happens(0.15)
          ? [random.pick(['zip not-found', 'phone format', 'email format'])]
          : [],
      vitals: {
        lcp: random.integer(600, 1600 * slow),
        inp: random.integer(20, 240),
        cls: random.integer(0, 90),
      },
    },
  }
}

const allVisits = origins.reduce((sum, { visits }) => sum + visits, 0)

function drawOrigin(random: Random): (typeof origins)[number] {
  let left = random.next() * allVisits
  return origins.find(({ visits }) => {
    left -= visits
    return left < 0
  }) as (typeof origins)[number]
}

const firstNames = ['Ada', 'Maria', 'James', 'Linh', 'Omar', 'Grace', 'Diego', 'Priya', 'Tyrone']
const lastNames = ['Lovelace', 'Garcia', 'Smith', 'Nguyen', 'Haddad', 'Okafor', 'Ramos', 'Patel']
const places = [
  ...['Sarasota FL 34236', 'Austin TX 78701', 'Denver CO 80202', 'Columbus OH 43215'],
  ...['Atlanta GA 30303', 'Fresno CA 93721', 'Phoenix AZ 85004', 'Seattle WA 98101'],
  ...['Houston TX 77002', 'Chicago IL 60601', 'Boston MA 02108', 'Portland OR 97201'],
  ...['Nashville TN 37203', 'Charlotte NC 28202', 'Detroit MI 48226', 'Minneapolis MN 55401'],
  ...['Louisville KY 40202', 'Omaha NE 68102', 'Boise ID 83702', 'Albuquerque NM 87102'],
  ...['Richmond VA 23219', 'Birmingham AL 35203', 'Milwaukee WI 53202', 'Tulsa OK 74103'],
  ...['Philadelphia PA 19103', 'Baltimore MD 21202', 'Buffalo NY 14202', 'Newark NJ 07102'],
]

/** The states in which the made-up school may not teach everything. */
const farStates: readonly string[] = ['CA', 'MA', 'NY', 'WA']

/** Makes up the answers of one person; each person has a different email address. */
function drawAnswers(random: Random, person: number, program: Program) {
  const [city = '', state = '', zip = ''] = random.pick(places).split(' ')
  const firstName = random.pick(firstNames)
  return {
    ...emptyAnswers,
    firstName,
    lastName: random.pick(lastNames),
    city,
    state,
    zip,
    phone: `(${random.integer(201, 989)}) 555-${String(person % 10_000).padStart(4, '0')}`,
    email: `${firstName.toLowerCase()}.${person}@example.com`,
    address: `${random.integer(1, 999)} ${random.pick(['Palm', 'Oak', 'Main', 'Lake'])} Street`,
    educationLevel: '790',
    graduatingYear: String(random.integer(1995, 2024)),
    programId: String(program.id),
    startDate: random.pick(startDates).id,
    confirmation: 'on',
  }
}

if (import.meta.main)
  process.exitCode = await runCommand(makeDemoDataCommand(), process.argv.slice(2))
