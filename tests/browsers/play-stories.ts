import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunningProduct } from '#tests/product/start-process.ts'
import type { Browser, Candidate, Tab } from './browser.ts'
import { type Story, stories } from './stories.ts'
import { visitorOf } from './visitor.ts'

export interface Outcome {
  readonly story: Story
  readonly seconds: number
  /** The error; undefined if the story was completed. */
  readonly fault?: unknown
}

export interface Played {
  readonly candidate: Candidate
  readonly version: string
  readonly outcomes: readonly Outcome[]
}

/** Runs every story in one browser. The browser starts twice, because scripts are on or off for the whole browser. */
export async function playStories(
  candidate: Candidate,
  product: RunningProduct,
  pictures: string,
): Promise<Played> {
  let version = ''
  const outcomes: Outcome[] = []
  for (const javaScript of [true, false]) {
    const browser = await candidate.start({ javaScript })
    version = browser.version
    try {
      for (const story of stories.filter((one) => one.javaScript === javaScript)) {
        const name = `${candidate.name}-${stories.indexOf(story) + 1}`.toLowerCase()
        outcomes.push(await play(story, browser, product, join(pictures, `${name}.png`)))
      }
    } finally {
      await browser.close()
    }
  }
  return { candidate, version, outcomes }
}

async function play(
  story: Story,
  browser: Browser,
  product: RunningProduct,
  picture: string,
): Promise<Outcome> {
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  let tab: Tab | undefined
  try {
    tab = await browser.newTab()
    await story.run(visitorOf(tab, product.url), `${crypto.randomUUID()}@example.com`, product)
    return { story, seconds: seconds() }
  } catch (fault) {
    await tab?.screenshot().then(
      (png) => keep(picture, png),
      () => undefined,
    )
    return { story, seconds: seconds(), fault }
  } finally {
    // If a browser can no longer close a tab, the next story fails.
    await tab?.close().catch(() => undefined)
  }
}

async function keep(file: string, content: Buffer): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, content)
}
