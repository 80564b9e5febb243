import type { ChildProcess } from 'node:child_process'
import { type TestContext, vi } from 'vitest'
import type { StoreSettings } from '#server/store/open-store.ts'
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

/** Starts all processes at once on an empty store. What is left of them ends with the test. */
export async function startSetUp(
  { makePlace, roles }: SetUp,
  distributor: { readonly url: string },
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  variables: Readonly<Record<string, string>> = {},
) {
  const { settings, remove } = await makePlace()
  onTestFinished(remove)
  const processes = roles.map((ROLE) =>
    successiveProcesses(productEnv(settings, distributor, { ROLE, ...variables })),
  )
  onTestFinished(async () => {
    await Promise.all(processes.map(({ endForGood }) => endForGood()))
  })
  await Promise.all(processes.map(({ start }) => start()))
  return {
    settings,
    processes,
    /** The web processes in turn: a visitor who repeats an enquiry meets another one. */
    site: inTurn(processes.filter((_, index) => roles[index] !== 'worker')),
  }
}

/** As `startSetUp`, in the test's own process. */
async function startInside(
  { makePlace, roles }: SetUp,
  distributor: { readonly url: string },
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  variables: Readonly<Record<string, string>> = {},
) {
  const { settings, remove } = await makePlace()
  onTestFinished(remove)
  const processes = await Promise.all(
    roles.map(async (ROLE) => {
      const product = await startInProcess(
        productEnv(settings, distributor, { ROLE, ...variables }),
      )
      onTestFinished(product.stop)
      return { serving: async () => product }
    }),
  )
  return {
    settings,
    processes,
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
  await vi.waitUntil(isSo, { timeout: 30_000, interval: 100 })
}
