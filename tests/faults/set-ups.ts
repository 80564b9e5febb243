import type { ChildProcess } from 'node:child_process'
import type { TestContext } from 'vitest'
import type { StoreSettings } from '#server/store/open-store.ts'
import { until } from '#tests/patience/until.ts'
import { startInProcess } from '#tests/product/start-in-process.ts'
import { postgresPlace, type StorePlace, sqlitePlace } from '#tests/store/store-places.ts'
import { isFull } from './extent.ts'
import { productEnv } from './product-env.ts'
import { successiveProcesses } from './successive-processes.ts'

/** The two ways in which an operator runs the product. */
export const setUps = [
  { name: 'SQLite', makePlace: sqlitePlace, roles: ['all'] },
  { name: 'PostgreSQL', makePlace: postgresPlace, roles: ['web', 'worker', 'worker'] },
]

export interface SetUp {
  readonly makePlace: () => Promise<StorePlace>
  /** The roles of the processes; those that serve visitors come first. */
  readonly roles: readonly string[]
}

/** A place that its creator removes. */
const lent = (settings: StoreSettings) => async (): Promise<StorePlace> => ({
  settings,
  empty: async () => undefined,
  remove: async () => undefined,
})

/** A database that its creator removes. */
export const placeAt = (databaseUrl: string) => lent({ dataDir: 'unused', databaseUrl })

/** A folder that its creator removes. */
export const placeIn = (dataDir: string) => lent({ dataDir })

type Given = readonly [
  SetUp,
  distributor: { readonly url: string },
  Pick<TestContext, 'onTestFinished'>,
  variables?: Readonly<Record<string, string>>,
]

/** Starts all processes at once on an empty store. Processes that still run end with the test. */
export const startSetUp = (...given: Given) =>
  startOnPlace(given, async (envs, onTestFinished) => {
    const processes = envs.map((env) => successiveProcesses(env))
    onTestFinished(async () => {
      await Promise.all(processes.map(({ endForGood }) => endForGood()))
    })
    await Promise.all(processes.map(({ start }) => start()))
    return processes
  })

/** Like `startSetUp`, in the test's own process. */
const startInside = (...given: Given) =>
  startOnPlace(given, (envs, onTestFinished) =>
    Promise.all(
      envs.map(async (env) => {
        const product = await startInProcess(env)
        onTestFinished(product.stop)
        return { serving: async () => product }
      }),
    ),
  )

async function startOnPlace<One extends Serving>(
  [{ makePlace, roles }, distributor, { onTestFinished }, variables]: Given,
  start: (
    envs: readonly ReturnType<typeof productEnv>[],
    onTestFinished: TestContext['onTestFinished'],
  ) => Promise<readonly One[]>,
) {
  const { settings, remove } = await makePlace()
  onTestFinished(remove)
  const envs = roles.map((ROLE) => productEnv(settings, distributor, { ROLE, ...variables }))
  const processes = await start(envs, onTestFinished)
  return {
    settings,
    processes,
    /** Returns the web processes in turn, so that a repeated enquiry reaches another process. */
    site: inTurn(processes.filter((_, index) => roles[index] !== 'worker')),
  }
}

interface LeftAlone {
  readonly settings: StoreSettings
  readonly processes: readonly Serving[]
  readonly site: () => Promise<string>
}

/**
 * Like `startSetUp`, for a test that ends no process. In a short run the processes are in the test's own process, where
 * a start costs a third; an uncaught error, which would end a process, ends that run.
 */
export const startLeftAlone: (...given: Parameters<typeof startSetUp>) => Promise<LeftAlone> =
  isFull ? startSetUp : startInside

interface Serving {
  serving(): Promise<{
    readonly url: string
    /** Undefined if the product runs in the test's own process. */
    readonly process?: Pick<ChildProcess, 'exitCode' | 'signalCode'>
  }>
}

function inTurn(sites: readonly Serving[]): () => Promise<string> {
  let asked = 0
  return async () => {
    const site = sites[asked++ % sites.length]
    if (site === undefined) throw new Error('No process serves visitors.')
    return (await site.serving()).url
  }
}

/** Waits until the process reports at `/readyz` that it is ready (200) or not (503). */
export async function saysReady({ serving }: Serving, status: 200 | 503) {
  const { url } = await serving()
  const isSo = async () => (await fetch(`${url}/readyz`)).status === status
  await until(isSo)
}
