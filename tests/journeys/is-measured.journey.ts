import { expect, type Page } from '@playwright/test'
import type { VisitProgress } from '#domain/measuring/visit.ts'
import { askStore, type Row } from '#tests/store/ask-store.ts'
import { ada } from './ada.ts'
import {
  back,
  expectStep,
  expectThanks,
  field,
  fillAboutYou,
  fillAddress,
  fillAll,
  next,
  send,
} from './fill-steps.ts'
import { test, visit } from './visit.ts'

/** Collects the bodies of the reports that the page sends from now on. */
function listenForReports(page: Page): string[] {
  const reports: string[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/events')) return
    reports.push(request.postData() ?? '')
  })
  return reports
}

/** The id of the tab's visit, which the page stores when it is hidden. */
const visitIn = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    Reflect.deleteProperty(document, 'hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    return (sessionStorage.getItem('visit') ?? '').split(',', 1)[0] ?? ''
  })

type StoredVisit = Row & { readonly progress: VisitProgress }

/** Waits until the server has stored a visit with what the test wants to see. */
async function storedWith(
  { dataDir }: { readonly dataDir: string },
  id: string,
  isSo: (visit: StoredVisit) => boolean,
): Promise<StoredVisit> {
  const visits: StoredVisit[] = []
  await expect(async () => {
    const [row] = await askStore({ dataDir }, `select * from visits where id = '${id}'`)
    const visit = { ...row, progress: JSON.parse(String(row?.progress)) }
    expect(isSo(visit)).toBe(true)
    visits.push(visit)
  }).toPass()
  const [visit] = visits
  if (visit === undefined) throw new Error('the visit is not stored')
  return visit
}

/** The measuring script loads while the browser is idle. */
async function visitMeasured(page: Page, path: string) {
  await visit(page, path)
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('measure-visit')),
  )
  // The script runs before this call, which the browser queues after it.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
}

test('the page reports a visit when the visitor leaves a step, without anything that was typed', async ({
  page,
  product,
  email,
}) => {
  const reports = listenForReports(page)
  await visitMeasured(page, '/business')
  await next(page)
  await expect(field(page, 'First name')).toHaveAttribute('aria-invalid', 'true')
  await fillAboutYou(page, { ...ada, email })
  expect(reports).toEqual([])
  await next(page)
  await expectStep(page, 2)
  await expect.poll(() => reports.length).toBe(1)
  await back(page)
  await expectStep(page, 1)
  await next(page)
  await expectStep(page, 2)
  await fillAddress(page, ada)
  expect(reports).toHaveLength(3)
  const id = await visitIn(page)
  await page.goto('/information/privacy-policy')
  const stored = await storedWith(product, id, ({ progress }) => progress.field === 'zip')
  expect(stored).toMatchObject({
    area: 'business',
    device: 'desktop',
    progress: {
      isStarted: true,
      step: 1,
      shown: [2, 2, 0, 0, 0],
      refused: expect.arrayContaining(['firstName missing', 'email missing']),
      vitals: { lcp: expect.any(Number) },
    },
  })
  expect(stored.progress.visibleMs[1]).toBeGreaterThan(0)
  const sent = [...reports, JSON.stringify(stored)].join()
  expect(sent, 'an object’s text').not.toContain('[object')
  for (const typed of [ada.firstName, ada.lastName, ada.phone, email, ada.address, ada.zip]) {
    expect(sent).not.toContain(typed)
  }

  // Another page of the tab belongs to the same visit.
  await visitMeasured(page, '/technology')
  await page.goto('/information/privacy-policy')
  const again = await storedWith(product, id, ({ area }) => area === 'technology')
  expect(again.progress.shown).toEqual([2, 2, 0, 0, 0])
})

test('the page reports a visit with hundreds of corrections completely', async ({
  page,
  product,
  email,
}) => {
  const reports = listenForReports(page)
  await visitMeasured(page, '/business')
  await fillAboutYou(page, { ...ada, email })
  await next(page)
  await expectStep(page, 2)
  await page.evaluate(() => {
    const fields = document.querySelectorAll<HTMLInputElement>('[name=address], [name=zip]')
    for (let correction = 0; correction < 500; correction++) fields[correction % 2]?.focus()
  })
  const id = await visitIn(page)
  const stored = await storedWith(product, id, ({ progress }) => progress.field === 'zip')
  expect(stored.progress).toMatchObject({ step: 1, isStarted: true, shown: [1, 1, 0, 0, 0] })
  for (const report of reports) expect(report.length).toBeLessThanOrEqual(4096)
})

test('a visit keeps the program of a sent enquiry', async ({ page, product, email }) => {
  await visitMeasured(page, '/business')
  await fillAll(page, { ...ada, email })
  await send(page)
  await expectThanks(page)
  const id = await visitIn(page)
  const stored = await storedWith(product, id, ({ progress }) => progress.step === 4)
  expect(stored.program).toBe(8)
})

test('if a visitor changes nothing, the page reports the visit when the visitor leaves', async ({
  page,
  product,
}) => {
  const reports = listenForReports(page)
  await visitMeasured(page, '/')
  expect(reports).toEqual([])
  const id = await visitIn(page)
  await page.goto('/information/privacy-policy')
  expect(await storedWith(product, id, () => true)).toMatchObject({
    area: 'general',
    progress: { isStarted: false, step: 0, shown: [1, 0, 0, 0, 0], refused: [] },
  })
})

test('a visitor notices nothing if the visit cannot be measured', async ({ page, email }) => {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'sendBeacon', { value: () => false })
    Object.defineProperty(window, 'sessionStorage', {
      get: () => {
        throw new Error('forbidden')
      },
    })
  })
  await visitMeasured(page, '/business')
  await fillAboutYou(page, { ...ada, email })
  await next(page)
  await expectStep(page, 2)
  expect(problems).toEqual([])
})
