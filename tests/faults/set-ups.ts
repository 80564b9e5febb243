import type { ChildProcess } from 'node:child_process'
import type { TestContext } from 'vitest'
import type { StoreSettings } from '#server/start/open-store.ts'
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
  /** Of each process; whichever serve visitors come first. */
  readonly roles: readonly string[]
}

/** What whoever made it takes away. */
const lent = (settings: StoreSettings) => async (): Promise<StorePlace> => ({
  settings,
  empty: async () => undefined,
  remove: async () => undefined,
})

/** A database that whoever made it takes away. */
export const placeAt = (databaseUrl: string) => lent({ dataDir: 'unused', databaseUrl })

/** A folder that whoever made it takes away. */
export const placeIn = (dataDir: string) => lent({ dataDir })

type Given = readonly [
  SetUp,
  distributor: { readonly url: string },
  Pick<TestContext, 'onTestFinished'>,
  variables?: Readonly<Record<string, string>>,
]

/** Starts all processes at once on an empty store. What is left of them ends with the test. */
export const startSetUp = (...given: Given) =>
  startOnPlace(given, async (envs, onTestFinished) => {
    const processes = envs.map((env) => successiveProcesses(env))
    onTestFinished(async () => {
      await Promise.all(processes.map(({ endForGood }) => endForGood()))
    })
    await Promise.all(processes.map(({ start }) => start()))
    return processes
  })

/** As `startSetUp`, in the test's own process. */
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
    /** The web processes in turn: a visitor who repeats an enquiry meets another one. */
    site: inTurn(processes.filter((_, index) => roles[index] !== 'worker')),
  }
}

interface LeftAlone {
  readonly settings: StoreSettings
  readonly processes: readonly Serving[]
  readonly site: () => Promise<string>
}

/**
 * As `startSetUp`, for a test that ends none of them. In a short run they are in the test's own process, where a start
 * costs a third; what would end a process by itself, an error that nobody has caught, ends that run.
 */
export const startLeftAlone: (...given: Parameters<typeof startSetUp>) => Promise<LeftAlone> =
  isFull ? startSetUp : startInside

interface Serving {
  serving(): Promise<{
    readonly url: string
    /** None of its own where it is the test's. */
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

/** Waits until the process says of itself at `/readyz` that it is ready (200), or that it is not (503). */
export async function saysReady({ serving }: Serving, status: 200 | 503) {
  const { url } = await serving()
  const isSo = async () => (await fetch(`${url}/readyz`)).status === status
  await until(isSo)
}
