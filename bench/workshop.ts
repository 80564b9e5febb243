import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { startProcess } from '../tests/product/start-process.ts'
import type { Workshop } from './bench.ts'
import { browserArguments } from './browser-arguments.ts'
import { projectFolder } from './project-folder.ts'

type End = () => Promise<unknown>

/** Opens what the benches share; `close` ends and removes all of it, `endBench` what one bench has started. */
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
    const chromiumPath = findChromium()
    const browser = await chromium.launch({ executablePath: chromiumPath, args: browserArguments })
    closers.push(() => browser.close())
    const atEnd = (end: End) => void benchEnds.push(end)
    const workshop = {
      product,
      browser,
      headlessShellPath: findHeadlessShell(),
      folder,
      runs,
      atEnd,
    }
    return { workshop, endBench, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function endAll(ends: End[]): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}

/** The one that the set-up has found for the tests. */
const findChromium = (): string =>
  found(process.env.CHROMIUM_PATH || kept('test-tools.json').chromium)

const findHeadlessShell = (): string => found(kept('headless-shell.json').path)

function found(path: unknown): string {
  if (typeof path !== 'string') {
    throw new Error('What the benchmarks need is not installed: run them by npm run bench.')
  }
  return path
}

function kept(name: string): Record<string, unknown> {
  const file = join(projectFolder, 'node_modules/.cache', name)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}
