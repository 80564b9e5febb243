import { hash, randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Logger } from 'pino'
import { disclosure } from '#content/disclosure.ts'
import type { Program } from '#domain/catalogue/program.ts'
import { ipToSend } from '#domain/lead/derived.ts'
import type { PageAssets } from '#site/shell/page-assets.ts'
import type { Settings } from './config/settings.ts'
import { app } from './http/app.ts'
import { makeNetworkCheck } from './http/proof-of-work/network-check.ts'
import { makeProofOfWork } from './http/proof-of-work/proof-of-work.ts'
import { makeRateLimits } from './http/rate-limits/rate-limits.ts'
import { makeIsSameOrigin } from './http/same-origin.ts'
import { makeSubmitEnquiry } from './http/submit-enquiry.ts'
import { makeVisitorIp } from './http/visitor-ip.ts'
import { isMailDisposable } from './integrations/disposable-mail/is-mail-disposable.ts'
import { startSandbox } from './integrations/sandbox/start-sandbox.ts'
import { makeLookupTrouble } from './lookup-trouble.ts'
import { makeMetrics } from './metrics.ts'
import { openStore } from './store/open-store.ts'
import { thirdParties } from './third-parties.ts'
import { makeAcceptEnquiry } from './use-cases/accept-enquiry.ts'
import { makeAddressServices } from './use-cases/address-services.ts'
import { makeDeliverLead } from './use-cases/deliver-leads.ts'
import { makeNewLead } from './use-cases/new-lead.ts'
import { DeliveryWorker } from './worker/delivery-worker.ts'
import { Gatekeeper } from './worker/gatekeeper.ts'
import { rememberIpLookup } from './worker/remembered-ip-lookup.ts'
import { RetentionJob } from './worker/retention-job.ts'

export interface ProductParts {
  readonly settings: Settings
  readonly programs: readonly Program[]
  readonly assets: PageAssets
  /** Where the built scripts lie; undefined while developing. */
  readonly clientFolder: string | undefined
  readonly log: Logger
  /** Epoch milliseconds; the system's clock unless a test lets it jump. */
  readonly clock?: () => number
}

/** How often a worker looks at the gate, and for what is due without being told, in milliseconds. */
const pollEvery = 500

/** Builds the parts and hands them to each other: the only wiring. */
export async function startProduct({
  settings,
  programs,
  assets,
  clientFolder,
  log,
  clock = Date.now,
}: ProductParts) {
  const { siteOrigin, names, fallbackIp } = settings
  const sha256 = (text: string) => hash('sha256', text)

  const store = await openStore(settings.store)
  await store.migrate()
  const sandbox =
    settings.mode === 'demo' ? await startSandbox({ port: settings.sandboxPort }) : undefined
  const readGate = () => store.gate.read()
  const metrics = makeMetrics({ archive: store.archive, readGate, clock })
  const outside = thirdParties(settings, sandbox?.url, metrics.countThirdPartyCall)
  const lookUpIp = rememberIpLookup(outside.lookUpIp, clock)

  const gatekeeper = new Gatekeeper({ gate: store.gate, clock, log }, pollEvery)
  const worker = new DeliveryWorker(
    {
      queue: store.queue,
      gatekeeper,
      deliverLead: makeDeliverLead(
        {
          queue: store.queue,
          distributor: outside.distributor,
          lookUpIp,
          clock,
          newId: randomUUIDv7,
          onOutcome: (attempted) => gatekeeper.hear(attempted),
          onNotRecorded: ({ lead }, error) =>
            log.error({ leadId: lead.id, err: error }, 'attempt not recorded yet; trying again'),
        },
        { campaign: settings.campaign, fallbackIp, retrySchedule: settings.delivery.retrySchedule },
      ),
      clock,
      log,
      onAttempt: metrics.countAttempt,
    },
    { ...settings.delivery, pollEvery },
  )
  const retentionJob =
    names.retentionDays === undefined
      ? undefined
      : new RetentionJob({ retention: store.retention, clock, log }, names.retentionDays)
  if (settings.role !== 'web') {
    worker.start()
    retentionJob?.start()
  }

  const shownDisclosure = disclosure(names.school)
  const visitorIp = makeVisitorIp(settings.trustedProxies)
  const rateLimits = makeRateLimits(settings.rateLimits, {
    visitorIp,
    log,
    onRefused: metrics.countLimited,
  })
  let isDraining = false
  const web = app({
    context: { assets, names, siteOrigin },
    programs,
    clock,
    networkCheck: makeNetworkCheck({
      networkStanding: rateLimits.networkStanding,
      visitorIp,
      proofOfWork: makeProofOfWork({
        secret: () => store.sharedSecret('proof of work', () => randomBytes(32).toString('hex')),
        clock,
      }),
    }),
    currentYear: () => new Date(clock()).getUTCFullYear(),
    disclosure: shownDisclosure,
    pixels: outside.pixels,
    affiliateParam: settings.affiliateParam,
    clientFolder,
    log,
    metrics: metrics.registry,
    checkStore: () => store.ready(),
    readGate,
    isDraining: () => isDraining,
    isLead: async (id) => (await store.archive.find(id, clock())) !== undefined,
    isSameOrigin: makeIsSameOrigin(siteOrigin),
    visitorIp,
    ...rateLimits,
    lookUpIp: async (ip) => ipToSend((await lookUpIp(ip)) ?? ip, fallbackIp),
    addressServices: makeAddressServices({
      ...outside,
      onUnavailable: makeLookupTrouble(log),
    }),
    submit: makeSubmitEnquiry({
      acceptEnquiry: metrics.timeAccept(
        makeAcceptEnquiry({
          intake: store.intake,
          sha256,
          onDeliveryOwed: () => worker.wake(),
        }),
      ),
      newLead: makeNewLead({
        programs,
        clock,
        newId: randomUUIDv7,
        sha256,
        disclosure: shownDisclosure,
      }),
      visitorIp,
      siteOrigin,
      log,
      onAccepted: metrics.countAccepted,
      isMailDisposable,
    }),
  })

  return {
    ...web,
    sandboxUrl: sandbox?.url,
    onConnectionRefused: () => metrics.countLimited('connection'),
    /** From now on `/readyz` answers 503. */
    drain: () => {
      isDraining = true
    },
    /** Finishes the deliveries under way, gives back what it cannot, and closes the store. */
    stop: async (graceMs: number) => {
      await Promise.all([worker.stop(graceMs), retentionJob?.stop()])
      await sandbox?.stop()
      await store.close()
    },
  }
}

export type Product = Awaited<ReturnType<typeof startProduct>>
