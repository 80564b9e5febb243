import type { Browser, BrowserContext, Page } from '@playwright/test'
import { sized } from '../sized.ts'

/** The phone on which the specification wants the first field visible without scrolling. */
const phone = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

/** A CPU at a sixth of its speed; 1.6 Mbit/s down and 750 kbit/s up, in bytes a second; 150 ms for a round trip. */
export const slowCpu = 6
const slowNetwork = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}

interface Slowness {
  readonly cpu?: boolean
  readonly network?: boolean
}

/** Opens a page like a new visitor's phone, with an empty cache, and closes it after `use`. */
export async function onPhone<Result>(
  browser: Browser,
  { cpu = false, network = false }: Slowness,
  use: (page: Page, context: BrowserContext) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext(phone)
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    if (cpu) await session.send('Emulation.setCPUThrottlingRate', { rate: sized(slowCpu, 1) })
    if (network) {
      await session.send('Network.enable')
      await session.send('Network.emulateNetworkConditions', slowNetwork)
    }
    return await use(page, context)
  } finally {
    await context.close()
  }
}
