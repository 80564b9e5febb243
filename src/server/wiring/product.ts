import { hostname } from 'node:os'
import { type ConsoleAssets, noConsoleAssets } from '#console/shell/console-assets.ts'
import { rememberIpLookup } from '#server/integrations/ip-lookup/remembered-ip-lookup.ts'
import { type Sandbox, startSandbox } from '#server/integrations/sandbox/start-sandbox.ts'
import { makeMetrics } from '#server/observability/metrics/metrics.ts'
import { makeCheckStore } from '#server/observability/troubles/check-store.ts'
import { Trouble } from '#server/observability/troubles/trouble.ts'
import { openStore, type Store } from '#server/store/open-store.ts'
import { closeOnFailure } from '#server/store/run-and-close.ts'
import { serverName } from '#server/store/running-server.ts'
import { isStoreEmpty, storeFile } from '#server/store/sqlite/data-folder.ts'
import { rollUpNext } from '#server/use-cases/deliveries/rollups/roll-up.ts'
import { releaseInAudit } from '#server/use-cases/leads/release-leads.ts'
import type { LeadNews } from '#server/use-cases/live/live-news.ts'
import { DeliveryRollupJob } from '#server/worker/delivery-rollup-job.ts'
import { makeForgettingJob } from '#server/worker/forgetting-job.ts'
import { makeHeldReleasesJob } from '#server/worker/held-releases-job.ts'
import { JobRunner } from '#server/worker/jobs/job-runner.ts'
import { LeadIndexFollower } from '#server/worker/lead-index-follower.ts'
import { makeConsoleRole } from './console-role.ts'
import type { RoleParts } from './role-parts.ts'
import { thirdParties } from './third-parties.ts'
import { makeWebRole, type WebRoleParts } from './web-role.ts'
import { makeWorkerRole } from './worker-role.ts'

export interface ProductParts
  extends Pick<
    WebRoleParts,
    'settings' | 'programs' | 'words' | 'assets' | 'clientFolder' | 'log'
  > {
  /** Where the build for the console lies, and what it is; without them it has neither styles nor scripts. */
  readonly consoleFolder?: string | undefined
  readonly consoleAssets?: ConsoleAssets
  /** Epoch milliseconds; the system's clock unless a test lets it jump. */
  readonly clock?: () => number
  /** Another way to open the store, for a bench that asks what the store costs. */
  readonly open?: typeof openStore
}

/** Builds the parts and hands them to each other. Where it rejects, nothing of it runs or is open. */
export async function startProduct(parts: ProductParts) {
  const { settings, open = openStore } = parts
  const server = serverName(settings.role, process.pid, hostname())
  tellEmptyFile(parts)
  const store = await open({ ...settings.store, server })
  return closeOnFailure(
    async () => {
      await store.migrate()
      const sandbox =
        settings.mode === 'demo' ? await startSandbox({ port: settings.sandboxPort }) : undefined
      return closeOnFailure(
        async () => startRoles(parts, store, sandbox),
        () => sandbox?.stop(),
      )
    },
    () => store.close(),
  )
}

/**
 * It is taken for a first evening, as refusing would lock out whoever's first start was cut off. After an accident of the
 * disk nothing else would say that the leads of yesterday are gone.
 */
function tellEmptyFile({ settings, log }: ProductParts): void {
  const { dataDir, databaseUrl } = settings.store
  if (databaseUrl !== undefined || !isStoreEmpty(dataDir)) return
  log.error(
    { file: storeFile(dataDir) },
    'leads.sqlite is there without a byte in it: the store begins anew. Unless this is the first start, stop, and restore the backup',
  )
}

function startRoles(given: ProductParts, store: Store, sandbox: Sandbox | undefined) {
  const { settings, programs, words, assets, clientFolder, log, clock = Date.now } = given
  const { role } = settings
  const readBreaker = () => store.breaker.read()
  const checkStore = makeCheckStore(() => store.ready(), log)
  const metrics = makeMetrics({ archive: store.archive, readBreaker, checkStore, clock, log })
  const clients = thirdParties(settings, sandbox?.url, metrics.countThirdPartyCall)
  const outside = { ...clients, lookUpIp: rememberIpLookup(clients.lookUpIp, clock) }
  const parts: RoleParts = { settings, store, outside, metrics, log, clock }

  const worker = makeWorkerRole(parts)
  const web = makeWebRole({
    ...parts,
    checkStore,
    programs,
    words,
    assets,
    clientFolder,
    onDeliveryOwed: worker.wake,
  })
  if (role === 'worker' || role === 'all') worker.start()
  const heldReleases = makeHeldReleases(parts, worker.wake)
  if (role !== 'web') heldReleases.start()
  const jobs = makeJobRunner(parts)
  const { consoleAssets = noConsoleAssets, consoleFolder } = given
  const console =
    role === 'console' || role === 'all'
      ? makeConsoleRole({
          ...parts,
          onJob: () => jobs.wake(),
          programs: web.programs,
          checkStore,
          assets: consoleAssets,
          assetFolder: consoleFolder,
        })
      : undefined
  const follower = makeFollower(parts, console?.onNews)
  const forgetting = makeForgetting(parts)
  const rollupJob = makeRollupJob(parts)
  if (role !== 'web') {
    follower.start()
    jobs.start()
    forgetting.start()
    rollupJob.start()
  }

  return {
    ...web,
    /** Undefined in the other roles. */
    console,
    /** From now on `/readyz` answers 503. */
    drain: () => {
      web.drain()
      console?.drain()
    },
    sandboxUrl: sandbox?.url,
    /** See open-store.ts. */
    damaged: store.damaged,
    /** Finishes the deliveries under way, gives back what it cannot, and closes the store. */
    stop: async (graceMs: number) => {
      const loops = [follower, heldReleases, jobs, forgetting, rollupJob]
      await Promise.all([worker.stop(graceMs), ...loops.map((loop) => loop.stop())])
      await sandbox?.stop()
      await store.close()
    },
  }
}

/** In workers, too: where no console runs for a while, its lists need not be made anew afterwards. */
const makeFollower = ({ store, log }: RoleParts, onNews = (_: LeadNews) => {}) =>
  new LeadIndexFollower({
    follow: (take) => store.index.follow(take),
    onNews,
    trouble: new Trouble(log, {
      begins: 'the lists of the console cannot follow the leads: they stay as they are',
      ends: 'the lists of the console follow the leads again',
    }),
  })

const makeHeldReleases = ({ store, clock, log }: RoleParts, onReleased: () => void) =>
  makeHeldReleasesJob({
    releaseDue: () => store.heldReleases.releaseDue(clock(), releaseInAudit),
    onReleased,
    trouble: new Trouble(log, {
      begins:
        'leads that were released cannot leave the quarantine: they stay there until they can',
      ends: 'leads that were released leave the quarantine again',
    }),
  })

/** By any process but those that serve visitors alone. */
const makeJobRunner = ({ store, log, clock }: RoleParts) =>
  new JobRunner({
    work: store.jobWork,
    finder: store.index,
    clock,
    log,
    trouble: new Trouble(log, {
      begins: 'jobs cannot go on: what is done of them stays done, and they are tried again',
      ends: 'jobs go on again',
    }),
  })

/** In workers, too: so it is done where the console was tried once. */
const makeForgetting = ({ store, clock, log }: RoleParts) =>
  makeForgettingJob({
    forget: () => store.operators.forgetEnded(clock()),
    trouble: new Trouble(log, {
      begins: 'what is left of sign-ins that are over stays for now: it is tried again in an hour',
      ends: 'what is left of sign-ins that are over is taken away again',
    }),
  })

/** In workers, too, as the follower: what nobody counted then nobody knows afterwards. */
const makeRollupJob = ({ store, clock, log }: RoleParts) =>
  new DeliveryRollupJob({
    rollUpNext: (rest) => rollUpNext({ ...store, clock, rest }),
    trouble: new Trouble(log, {
      begins: 'what came of deliveries cannot be counted: the charts of the console end here',
      ends: 'what comes of deliveries is counted again',
    }),
  })

export type Product = Awaited<ReturnType<typeof startProduct>>
