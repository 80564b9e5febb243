import type { Bench } from '../bench.ts'
import { ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import { startRecordedServer } from '../served/recorded-server.ts'
import { sized } from '../sized.ts'
import { answersPerSecond } from './answers-per-second.ts'

const roundMs = sized(3000, 50)
/** The first seconds do not count, because Node still compiles the code. */
const warmUpMs = sized(2000, 20)
const connections = 64

export const pagesPerSecond: Bench = {
  name: 'pages-per-second',
  title: 'Pages per second',
  async measure({ product, runs }) {
    const url = `${product.url}/`
    const bare = await startRecordedServer(url)
    const samples = { ours: [] as number[], bare: [] as number[] }
    try {
      await answersPerSecond(url, connections, warmUpMs)
      await answersPerSecond(bare.url, connections, warmUpMs)
      for (let run = 0; run < runs; run++) {
        samples.ours.push(await answersPerSecond(url, connections, roundMs))
        samples.bare.push(await answersPerSecond(bare.url, connections, roundMs))
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
        limit: { atLeast: 0.1 },
        samples,
      }),
    ]
  },
}
