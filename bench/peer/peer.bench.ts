import type { Bench } from '../bench.ts'
import { ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import { firstFieldSeen } from './first-field-seen.ts'
import { servePeer } from './serve-peer.ts'

export const peer: Bench = {
  name: 'peer',
  title: "Beside Formbricks' embed",
  async measure({ product, browser, runs }) {
    const embedded = await servePeer(product.url)
    const ours: number[] = []
    const theirs: number[] = []
    try {
      for (let run = 0; run < runs; run++) {
        ours.push(await firstFieldSeen(browser, product.url, 'input[name=firstName]'))
        theirs.push(await firstFieldSeen(browser, embedded.url, '#survey input'))
      }
    } finally {
      await embedded.stop()
    }
    return [
      ratioFigure({
        name: 'first field seen, slow phone',
        ours: median(ours),
        reference: median(theirs),
        against: "the same page with Formbricks' embed",
        unit: 'ms',
        limit: { atMost: 0.65 },
        samples: { ours, theirs },
      }),
    ]
  },
}
