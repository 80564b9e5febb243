import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Challenge } from 'altcha-lib'
import { makeProofOfWork } from '../../src/server/enquiries/proof-of-work.ts'
import type { Bench } from '../bench.ts'
import { plainFigure, quantity } from '../figure.ts'
import { median } from '../median.ts'
import { projectFolder } from '../project-folder.ts'
import { onPhone, slowCpu } from './phone.ts'

/**
 * Measures how long a phone computes the proof for an enquiry from a busy network, once the code is loaded. Chromium
 * can slow the page down, but neither workers nor Web Crypto's threads, so this machine's time is multiplied.
 */
export const proofOfWork: Bench = {
  name: 'proof-of-work',
  title: 'Proof of work, asked for on suspicion only',
  async measure({ product, browser, runs }) {
    const { challenge } = makeProofOfWork({
      secret: async () => 'bench',
      clock: Date.now,
      findNetworkLoad: () => 'busy',
    })
    const solver = await solverFile()
    const took = await onPhone(browser, {}, async (page) => {
      await page.goto(`${product.url}/`)
      const times: number[] = []
      // Twice as often as other measurements, because challenges need different amounts of work.
      for (let run = 0; run < 2 * runs; run++) {
        times.push(await page.evaluate(solve, { solver, challenge: await challenge('bench') }))
      }
      return times
    })
    const here = median(took)
    return [
      plainFigure({
        name: 'Solving it on a slow phone',
        value: here * slowCpu,
        measured: `${quantity(here * slowCpu, 'ms')} (${slowCpu} × ${quantity(here, 'ms')})`,
        unit: 'ms',
        limit: { atMost: 600 },
        samples: { here: took },
      }),
    ]
  },
}

async function solverFile(): Promise<string> {
  const names = await readdir(join(projectFolder, 'dist/client/assets'))
  const name = names.find((file) => /^solver-worker.*\.js$/.test(file))
  if (name === undefined) throw new Error('the solver is not among the built scripts')
  return `/assets/${name}`
}

/** Runs in the page. Times the second challenge, because the first one waits until the worker has started. */
function solve({ solver, challenge }: { solver: string; challenge: Challenge }): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(solver, { type: 'module' })
    let startedAt = 0
    worker.addEventListener('error', () => reject(new Error('the solver did not start')))
    worker.addEventListener('message', () => {
      if (startedAt > 0) {
        worker.terminate()
        return resolve(performance.now() - startedAt)
      }
      startedAt = performance.now()
      worker.postMessage(challenge)
    })
    worker.postMessage(challenge)
  })
}
