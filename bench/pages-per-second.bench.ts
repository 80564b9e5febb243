import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import type { Bench } from './bench.ts'
import { ratioFigure } from './figure.ts'
import { median } from './median.ts'
import { startRecordedServer } from './recorded-server.ts'

const seconds = 3
const connections = 64

const report = v.object({
  errors: v.literal(0),
  non2xx: v.literal(0),
  requests: v.object({ total: v.number() }),
  duration: v.number(),
})

export const pagesPerSecond: Bench = {
  name: 'pages-per-second',
  title: 'Pages per second',
  async measure({ product, runs }) {
    const url = `${product.url}/`
    const bare = await startRecordedServer(url)
    const samples = { ours: [] as number[], bare: [] as number[] }
    try {
      // The first second of a process is its compiler's.
      await load(url, 1)
      await load(bare.url, 1)
      for (let run = 0; run < runs; run++) {
        samples.ours.push(await load(url, seconds))
        samples.bare.push(await load(bare.url, seconds))
      }
    } finally {
      await bare.stop()
    }
    return [
      ratioFigure({
        name: `landing pages per second, ${connections} connections`,
        ours: median(samples.ours),
        reference: median(samples.bare),
        against: 'the same bytes from a bare Node server',
        unit: '/s',
        limit: { atLeast: 0.8 },
        samples,
      }),
    ]
  },
}

/** @returns answers per second */
async function load(url: string, duration: number): Promise<number> {
  const autocannon = join(import.meta.dirname, 'node_modules/autocannon/autocannon.js')
  const options = ['--json', '-c', String(connections), '-d', String(duration)]
  const { stdout } = await promisify(execFile)(process.execPath, [
    autocannon,
    ...options,
    '-H',
    'accept-encoding=br',
    url,
  ])
  const { requests, duration: took } = v.parse(report, JSON.parse(stdout))
  return requests.total / took
}
