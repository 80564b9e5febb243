import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { startProcess } from '../tests/product/start-process.ts'
import { toolPath } from '../tests/programs/tool-path.ts'
import type { Workshop } from './bench.ts'
import { browserArguments } from './browser-arguments.ts'

type End = () => Promise<unknown>

/** Opens what the benchmarks share. `close` ends and removes everything, `endBench` what one benchmark has started. */
export async function openWorkshop(
  runs: number,
): Promise<{ workshop: Workshop; endBench: () => Promise<void>; close: () => Promise<void> }> {
  const closers: End[] = []
  const benchEnds: End[] = []
  const endBench = () => endAll(benchEnds)
  const close = async () => {
    await endBench()
    await endAll(closers)
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'enquiry-bench-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    const product = await startProcess({ APP_MODE: 'demo' })
    closers.push(product.stop)
    const headlessShellPath = toolPath('chromium')
    const browser = await chromium.launch({
      executablePath: headlessShellPath,
      args: browserArguments,
    })
    closers.push(() => browser.close())
    const atEnd = (end: End) => void benchEnds.push(end)
    const workshop = { product, browser, headlessShellPath, folder, runs, atEnd }
    return { workshop, endBench, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function endAll(ends: End[]): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}
