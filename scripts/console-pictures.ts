import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { startProcess } from '#tests/product/start-process.ts'
import { toolPath } from '#tests/programs/tool-path.ts'
import { fillExampleWeek } from './example-week.ts'

/**
 * Takes the screenshots of docs/console.md from the built product with a week of made-up leads. Run it when the console
 * looks different: `node scripts/console-pictures.ts`.
 */
const folder = join(import.meta.dirname, '../docs/console')
const dataDir = await mkdtemp(join(tmpdir(), 'console-pictures-'))
await fillExampleWeek(dataDir, Date.now())
const product = await startProcess({ DATA_DIR: dataDir })
const browser = await chromium.launch({ executablePath: toolPath('chromium') })
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 820 },
    timezoneId: 'America/New_York',
  })
  await page.goto(product.consoleLink)
  await go(page, 'Leads')
  await picture(page, 'leads')
  await go(page, 'Overview')
  await picture(page, 'overview', 960)
  await go(page, 'Leads')
  await page.getByLabel('Status', { exact: true }).selectOption('rejected')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.locator('tbody a').nth(1).click()
  await picture(page, 'lead')
  await go(page, 'Deliveries')
  await page.getByRole('link', { name: '24 h' }).click()
  await picture(page, 'deliveries', 1240)
  await go(page, 'Quarantine')
  await picture(page, 'quarantine')
  await page.goto(new URL('/jobs/new?status=dead', page.url()).href)
  await page.getByRole('button', { name: 'Plan' }).click()
  await page.getByLabel('Reason').fill('The distributor has mended its server')
  await page.getByLabel('Leads per second').fill('2')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.locator('progress:not([value="0"])').waitFor()
  await picture(page, 'job', 700)
} finally {
  await browser.close()
  await product.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function go(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

/** A console page has few colors, so a palette looks as good at a third of the bytes. */
async function picture(page: Page, name: string, height = 820): Promise<void> {
  await page.setViewportSize({ width: 1280, height })
  const shot = await page.screenshot()
  await writeFile(
    join(folder, `${name}.png`),
    await sharp(shot).png({ palette: true, colours: 64, effort: 10 }).toBuffer(),
  )
}
