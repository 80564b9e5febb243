import { expect } from '@playwright/test'
import { expectAccessibleState } from '#tests/accessibility/expect-accessible.ts'
import { storedLeads } from '#tests/product/stored-leads.ts'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import {
  back,
  expectStep,
  expectThanks,
  field,
  fillAboutYou,
  fillAddress,
  fillAll,
  fillProgram,
  fillToStep,
  fillYourEducation,
  finishFromEducation,
  goTo,
  next,
  nextThrough,
  send,
} from './fill-steps.ts'
import { listenIn } from './listen-in.ts'
import { toast, twin } from './toast.ts'
import { test, untilAlive, visit } from './visit.ts'

const unsubmitted = 'Unable to Submit Information'
const lazyFormParts = '**/assets/lazy-form-parts-*.js'

test('the form tells an offline visitor so, keeps the answers, and continues once online', async ({
  page,
  context,
  product,
  email,
}) => {
  await visit(page, '/business')
  await fillToStep(page, 2, { ...ada, email })
  await context.setOffline(true)
  await fillAddress(page, ada)
  // If the tab crashes now, it loses no answer.
  const draft = () => page.evaluate(() => sessionStorage.getItem('enquiry'))
  await expect.poll(draft).toContain(ada.zip)
  await next(page)
  await expect(page.getByRole('alert')).toContainText('Unable to validate address')
  await expect(page.getByText('You seem to be offline.')).toHaveCount(1)
  await expect(toast(page)).toContainText('Error validating address: You seem to be offline.')
  await expect(page.getByRole('button', { name: 'Next' })).toBeFocused()
  await expect(field(page, 'City')).toBeHidden()
  await expect(field(page, 'Street address')).toHaveValue(ada.address)
  await context.setOffline(false)
  await next(page)
  await expectStep(page, 3)
  await expect(twin(page)).toBeHidden()
  await fillYourEducation(page, ada)
  await next(page)
  await fillProgram(page, ada)
  await context.setOffline(true)
  await send(page)
  await expect(page.getByRole('alert')).toContainText('You seem to be offline.')
  await expect(twin(page)).toBeHidden()
  await expect(page.getByRole('checkbox')).toBeChecked()
  await context.setOffline(false)
  await send(page)
  await expectThanks(page)
  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { payload: { city: 'Sarasota', state: 'FL', addressVerified: true } },
  ])
})

test('an address check and a submission that hang end after 15 seconds, and the store has one lead', async ({
  page,
  product,
  email,
}) => {
  await page.clock.install()
  // The installed clock drives the timers of a page, but not this limit of the browser's.
  await page.addInitScript(() => {
    AbortSignal.timeout = (ms) => {
      const limit = new AbortController()
      setTimeout(() => limit.abort(new DOMException('no answer', 'TimeoutError')), ms)
      return limit.signal
    }
  })
  await visit(page, '/business')
  await fillToStep(page, 2, { ...ada, email })

  const validations = '**/api/address-validations'
  await page.route(validations, () => undefined)
  const checking = page.waitForRequest(validations)
  await fillAddress(page, ada)
  await next(page)
  await checking
  await expect(field(page, 'ZIP code')).toBeDisabled()
  await page.clock.fastForward(15_000)
  await expect(toast(page)).toContainText('Unable to validate address')
  await expect(field(page, 'ZIP code')).toBeEnabled()
  await page.unroute(validations)
  await next(page)
  await expectStep(page, 3)
  await fillYourEducation(page, ada)
  await next(page)
  await expectStep(page, 4)
  await fillProgram(page, ada)

  const stored = Promise.withResolvers<void>()
  await page.route('**/api/leads', async (route) => {
    await route.fetch()
    stored.resolve()
  })
  await send(page)
  await stored.promise
  await expect(field(page, 'Program')).toBeDisabled()
  // The limit of 15 seconds is over, but the toast's time is not running.
  await page.clock.pauseAt(Date.now() + 60_000)
  await expect(toast(page)).toContainText(unsubmitted)
  await expect(field(page, 'Program')).toHaveValue('8')
  await expect(field(page, 'Program')).toBeEnabled()
  await page.unroute('**/api/leads')
  await send(page)
  await expectThanks(page)
  expect(storedLeads(product.dataDir, email)).toHaveLength(1)
})

test('if the visitor clears cookies during a visit, the page fetches them again', async ({
  page,
  context,
  product,
  email,
}) => {
  await visit(page, '/business?affid=partner-7')
  await fillToStep(page, 2, { ...ada, email })
  const lookedUp = page.waitForResponse('**/api/zip-lookups/*')
  await fillAddress(page, ada)
  await lookedUp
  await context.clearCookies()
  await next(page)
  await expectStep(page, 3)
  await fillYourEducation(page, ada)
  await next(page)
  await expectStep(page, 4)
  await fillProgram(page, ada)
  await context.clearCookies()
  await send(page)
  await expectThanks(page)
  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { payload: { addressVerified: true, subId: 'partner-7' } },
  ])
})

test('if the browser blocks the script’s requests, the browser posts the form', async ({
  page,
  product,
  email,
}) => {
  const sent = listenIn(page, '/api/leads')
  await comeBackTo(page, 4, '/business', { ...ada, email })
  await fillProgram(page, ada)
  await page.route('**/api/leads', (route) => route.abort())
  for (let tries = 0; tries < 2; tries += 1) {
    await send(page)
    await expect(page.getByRole('alert')).toContainText('We could not send your request.')
  }
  await send(page)
  await expectThanks(page)
  expect(sent).toHaveLength(3)
  const key = sent[0]?.headers()['idempotency-key']
  expect(storedLeads(product.dataDir, email)).toMatchObject([{ idempotencyKey: key }])
  const kept = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }))
  await expect.poll(kept).not.toContain(email)
})

test('if a step’s script is missing, the browser posts the form, but not while offline', async ({
  page,
  context,
  product,
  email,
}) => {
  await page.route(lazyFormParts, (route) => route.abort())
  await visit(page, '/business')
  await context.setOffline(true)
  await fillAboutYou(page, { ...ada, email })
  await next(page)
  await expect(page.getByRole('alert')).toContainText('You seem to be offline.')
  await expectAccessibleState(page, 'step 1, offline')
  await expect(field(page, 'Email')).toHaveValue(email)
  await context.setOffline(false)
  await next(page)
  await expectStep(page, 2)
  await back(page)
  await expectStep(page, 1)
  await expect(field(page, 'Email')).toHaveValue(email)
  await next(page)
  await expectStep(page, 2)
  await fillAddress(page, ada)
  await next(page)
  await expectStep(page, 3)
  // The page's script has saved the data of the reply.
  await page.waitForFunction(
    (typed) => sessionStorage.getItem('enquiry')?.includes(typed),
    ada.address,
  )
  await page.reload()
  await untilAlive(page)
  await expectStep(page, 1)
  await expect(field(page, 'Email')).toHaveValue(email)
  await nextThrough(page, 2, 3)
  await finishFromEducation(page, ada)
  expect(storedLeads(product.dataDir, email)).toMatchObject([{ payload: { address: ada.address } }])
})

test('a duplicated tab sends its own enquiry', async ({ page, product, email }) => {
  await visit(page, '/business')
  await fillAll(page, { ...ada, email })
  // A new tab gets a copy of session storage and with it the draft.
  const opened = page.waitForEvent('popup')
  await page.evaluate(() => void open('/business'))
  const other = await opened
  await expectStep(other, 4)
  await send(page)
  await expectThanks(page)

  await goTo(other, 0)
  await field(other, 'First name').fill('Byron')
  await nextThrough(other, 2, 3, 4)
  await fillProgram(other, ada)
  await send(other)
  await expectThanks(other)
  const stored = storedLeads(product.dataDir, email)
  expect(stored.map(({ payload }) => payload.firstName)).toEqual([ada.firstName, 'Byron'])

  // The browser had cached a page before the enquiry was sent from it.
  await goTo(page, 0)
  await fillAboutYou(page, { ...ada, email })
  // The last input has been saved by then, so nothing is written after the data is cleared.
  await page.waitForFunction((typed) => sessionStorage.getItem('enquiry')?.includes(typed), email)
  await page.evaluate(() => {
    sessionStorage.clear()
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await expect(field(page, 'Email')).toHaveValue('')
})
