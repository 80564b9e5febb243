import type { TestContext } from 'vitest'
import { startInProcess } from '#tests/product/start-in-process.ts'
import type { StorePlace } from '#tests/store/store-places.ts'
import { eventually, isSettled, type StoredDelivery } from './deliveries.ts'
import { startDistributor } from './distributor.ts'
import { productEnv } from './product-env.ts'
import { startVisitors } from './visitors.ts'

export type Scenes = ReturnType<typeof makeScenes>
export type Scene = Awaited<ReturnType<Scenes['scene']>>

/** Sets up tests of a distributor on one kind of store, and counts the outcomes of all leads. */
export function makeScenes(makePlace: () => Promise<StorePlace>) {
  const counted = { leads: 0, delivered: 0, rejected: 0, dead: 0 }
  return {
    counts: () => ({
      ...counted,
      lost: counted.leads - counted.delivered - counted.rejected - counted.dead,
    }),

    /** Makes a store and everything to run a product on it. All parts end with the test, the last one first. */
    scene: async ({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) => {
      const place = await makePlace()
      onTestFinished(place.remove)
      const { settings } = place
      return {
        settings,
        distributor: async (...given: Parameters<typeof startDistributor>) => {
          const distributor = await startDistributor(...given)
          onTestFinished(distributor.stop)
          return distributor
        },
        product: async (url: string, more?: Readonly<Record<string, string>>) => {
          const variables = productEnv(settings, { url }, more)
          const product = await startInProcess(variables)
          let isStopped = false
          const stop = async () => {
            if (!isStopped) await product.stop()
            isStopped = true
          }
          onTestFinished(stop)
          return { ...product, stop }
        },
        settled: async (leadId: string): Promise<StoredDelivery> => {
          const delivery = await eventually(settings, leadId, isSettled)
          counted[delivery.settledAs as 'delivered' | 'rejected' | 'dead']++
          return delivery
        },
      }
    },

    thankedVisitor: async ({ url }: { readonly url: string }): Promise<string> => {
      const visitors = startVisitors({ atOnce: 1, enquiries: 1, site: async () => url })
      await visitors.gone
      const [id] = visitors.acknowledged.values()
      if (id === undefined) throw new Error('The visitor was not thanked.')
      counted.leads++
      return id
    },
  }
}
