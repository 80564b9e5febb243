import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import type { Workshop } from '../bench.ts'
import { browserArguments } from '../browser-arguments.ts'
import { projectFolder } from '../project-folder.ts'
import { ownBlockingTime } from './own-blocking-time.ts'

export const categories = [
  'performance',
  'accessibility',
  'best-practices',
  'seo',
  'agentic-browsing',
] as const

/** The version in bench/package-lock.json. */
export const lighthouseCommand = join(projectFolder, 'bench/node_modules/lighthouse/cli/index.js')

const numeric = v.object({ numericValue: v.number() })
const category = v.object({ score: v.nullable(v.number()) })

const report = v.object({
  audits: v.object({
    'largest-contentful-paint': numeric,
    'cumulative-layout-shift': numeric,
    'total-blocking-time': numeric,
  }),
  categories: v.object(v.entriesFromList(categories, category)),
})

const scores = v.object(v.entriesFromList(categories, v.number()))

export interface Audit {
  /** Milliseconds. */
  readonly lcp: number
  readonly cls: number
  /** Milliseconds. */
  readonly tbt: number
  /** In milliseconds: see own-blocking-time.ts. */
  readonly ownTbt: number
  /** 0 to 100. */
  readonly scores: Readonly<Record<(typeof categories)[number], number>>
}

/**
 * Visits a page with Lighthouse as a mid-range phone on a simulated slow network. Chromium runs without a window,
 * because a window's toolbar is a page too and would work at the same time. Sometimes Lighthouse loses Chromium
 * ("Connection closed") or the beginning of the trace ("NO_NAVSTART"); such a visit is counted and repeated.
 */
export class Auditor {
  readonly #workshop: Pick<Workshop, 'headlessShellPath' | 'folder'>
  #lost = 0

  constructor(workshop: Pick<Workshop, 'headlessShellPath' | 'folder'>) {
    this.#workshop = workshop
  }

  /** How many visits measured nothing. */
  get lost(): number {
    return this.#lost
  }

  async audit(url: string): Promise<Audit> {
    for (let visit = 1; ; visit++) {
      try {
        return await audit(this.#workshop, url)
      } catch (error) {
        if (visit === mostVisits) throw error
        this.#lost++
      }
    }
  }
}

const mostVisits = 6

async function audit(
  { headlessShellPath, folder }: Pick<Workshop, 'headlessShellPath' | 'folder'>,
  url: string,
): Promise<Audit> {
  const output = join(folder, 'lighthouse')
  await promisify(execFile)(
    process.execPath,
    [
      lighthouseCommand,
      url,
      '--quiet',
      '--no-enable-error-reporting',
      '--output=json',
      '--save-assets',
      `--output-path=${output}`,
      `--chrome-flags=${browserArguments.join(' ')}`,
    ],
    { env: { ...process.env, CHROME_PATH: headlessShellPath } },
  )
  const { audits, categories: found } = v.parse(report, await readJson(output))
  const ownTbt = ownBlockingTime(await readJson(`${output}-0.trace.json`))
  if (ownTbt === undefined) throw new Error('the trace has no first paint')
  return {
    lcp: audits['largest-contentful-paint'].numericValue,
    cls: audits['cumulative-layout-shift'].numericValue,
    tbt: audits['total-blocking-time'].numericValue,
    ownTbt,
    scores: v.parse(
      scores,
      Object.fromEntries(categories.map((name) => [name, percent(found[name])])),
    ),
  }
}

const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'))

const percent = ({ score }: { score: number | null }): number => Math.round((score ?? 0) * 100)
