import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeFaultyDisk } from '../../tests/disk/faulty-disk.ts'
import { startProcess } from '../../tests/product/start-process.ts'
import type { Bench } from '../bench.ts'
import { plainFigure, ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import { sized } from '../sized.ts'
import { eventLoopProbe } from './load/event-loop-probe.ts'
import { atOnce, postLeads } from './load/post-leads.ts'

const addedMs = 10
const roundMs = sized(3000, 50)
/** The first seconds do not count, because Node still compiles the code. */
const warmUpMs = sized(2000, 20)

/** Measures SQLite on a slow disk: leads that arrive together share a commit, and nothing else waits for the disk. */
export const slowDisk: Bench = {
  name: 'slow-disk',
  title: 'A slow disk, SQLite',
  async measure({ folder, runs, atEnd }) {
    const dataDir = join(folder, 'slow-disk')
    await mkdir(dataDir)
    const disk = makeFaultyDisk(dataDir)
    disk.slowDown(addedMs)
    const probe = await eventLoopProbe()
    const product = await startProcess({
      ROLE: 'web',
      DATA_DIR: dataDir,
      ...disk.env,
      ...probe.env,
    })
    atEnd(product.stop)
    const samples = { leads: [] as number[], singly: [] as number[] }
    const delays: number[] = []
    await postLeads(product.url, warmUpMs)
    for (let run = 0; run < runs; run++) {
      await probe.p99()
      samples.leads.push((await postLeads(product.url, roundMs)).perSecond)
      delays.push(await probe.p99())
      samples.singly.push(await singleCommits(dataDir, disk.env))
    }
    const where = `${addedMs} ms added to each fsync`
    return [
      ratioFigure({
        name: `POST /api/leads, ${atOnce} at once, ${where}`,
        ours: median(samples.leads),
        reference: median(samples.singly),
        against: 'commits one by one on that disk',
        unit: '/s',
        limit: { atLeast: 20 },
        samples,
      }),
      plainFigure({
        name: `p99 of the event loop's delay meanwhile, ${where}`,
        value: median(delays),
        unit: 'ms',
        limit: { atMost: 20 },
        samples: { delays },
      }),
    ]
  },
}

const script = fileURLToPath(new URL('./set-up/single-commits-process.ts', import.meta.url))

/** Commits a second, in a separate process. */
async function singleCommits(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, folder, String(roundMs)],
    { env: { PATH: process.env.PATH, ...env } },
  )
  return Number(stdout)
}
