import type { Bench } from '../bench.ts'
import { ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import { type ActionTimes, visit } from './actions.ts'
import { servePeer } from './serve-peer.ts'

/** Each action with its bound, as a share of the time on the page with Formbricks. */
const actions = [
  { key: 'firstField', name: 'first field seen', atMost: 0.75 },
  { key: 'largestPaint', name: 'largest contentful paint', atMost: 1.05 },
  { key: 'usable', name: 'first field seen and Next answered by script', atMost: 1 },
  { key: 'keystroke', name: 'next paint after a keystroke', atMost: 1.25 },
  { key: 'next', name: 'next paint after Next on an empty step', atMost: 1.25 },
] as const satisfies readonly { key: keyof ActionTimes; name: string; atMost: number }[]

export const peer: Bench = {
  name: 'peer',
  title: "Beside Formbricks' embed",
  async measure({ product, browser, runs }) {
    const embedded = await servePeer(product.url)
    const ours: ActionTimes[] = []
    const theirs: ActionTimes[] = []
    try {
      for (let run = 0; run < runs; run++) {
        ours.push(
          await visit(browser, {
            url: product.url,
            field: 'input[name=firstName]',
            next: 'button[name=move][value=next]',
            error: '#field-firstName-error',
            usableEvent: 'enquiry:step',
          }),
        )
        theirs.push(
          await visit(browser, {
            url: embedded.url,
            field: '#survey input',
            next: '#survey button[type=submit]',
            error: '#survey button[type=submit]',
          }),
        )
      }
    } finally {
      await embedded.stop()
    }
    return actions.map(({ key, name, atMost }) => {
      const samples = { ours: ours.map((run) => run[key]), theirs: theirs.map((run) => run[key]) }
      return ratioFigure({
        name: `${name}, slow phone`,
        ours: median(samples.ours),
        reference: median(samples.theirs),
        against: "the same page with Formbricks' embed",
        unit: 'ms',
        limit: { atMost },
        samples,
      })
    })
  },
}
