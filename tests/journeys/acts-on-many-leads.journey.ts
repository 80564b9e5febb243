import { expect } from '@playwright/test'
import { openStore } from '#server/store/open-store.ts'
import { lookAtState } from '#tests/accessibility/look.ts'
import { startProcess } from '#tests/product/start-process.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { test } from './pictured-test.ts'

/** At one lead a second, the job runs longer than the test looks at it, even if the machine stalls. */
const leads = 120

test('an operator plans a retry of all rejected leads, starts, pauses and cancels it', async ({
  page,
}) => {
  const product = await startProcess()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const main = page.getByRole('main')
  try {
    await page.goto(product.consoleLink)
    await page.getByRole('link', { name: 'Jobs', exact: true }).click()
    await expect(main).toContainText('No jobs yet')
    await expect(main.getByRole('link', { name: 'Go to Leads' })).toBeVisible()
    await lookAtState(page, 'jobs, none')

    const store = await openStore({ dataDir: product.dataDir })
    await Promise.all(
      Array.from({ length: leads }, (_, index) => {
        const phone = `9415550${index + 100}`
        const lead = { lastName: 'Sandbox-Cap', receivedAt: Date.now() - 1000 * index, phone }
        return store.intake.accept(exampleArrival(lead))
      }),
    )
    await store.close()
    await page.goto(`${new URL(page.url()).origin}/leads?status=rejected`)
    // The list updates by itself, as do the job's pages.
    await expect(page.getByText(`${leads} leads`, { exact: true })).toBeVisible()
    await expect(page.getByText('The list is being brought up to date')).toHaveCount(0)

    await page.getByRole('button', { name: /^Act on all / }).click()
    await expect(main).toContainText(`Status: rejected (${leads} leads, the oldest received`)
    await expect(page.getByLabel('Retry', { exact: true })).toBeChecked()
    await button('Plan').click()
    await expect(main).toContainText(`Planned for ${leads} leads: nothing has changed yet`)
    await expect(page.getByRole('table', { name: 'Plan', exact: true })).toContainText(
      'will be due at once',
    )

    await page.getByLabel('Reason').fill('the distributor is back')
    await page.getByLabel('Leads per second').fill('0')
    await button('Start').click()
    await expect(main).toContainText('Enter a whole number from 1 to 1000.')
    await expect(page.getByLabel('Reason')).toHaveValue('the distributor is back')
    await lookAtState(page, 'a start with an invalid rate', 'main')
    await page.getByLabel('Leads per second').fill('1')
    await button('Start').click()
    await expect(main).toContainText(/Running: \d+%/)
    await expect(page.getByRole('progressbar')).not.toHaveAttribute('value', '0')
    // Updates of the page leave the message where it was.
    await expect(main.locator(':scope > :nth-child(2)')).toContainText('Job started')
    await lookAtState(page, 'a job that runs')
    await button('Pause').click()
    await expect(main).toContainText('Job paused')
    await expect(page.getByRole('progressbar')).toBeVisible()
    await lookAtState(page, 'a job that is paused', 'main')
    await button('Resume').click()
    await expect(main).toContainText('Job resumed')
    await button('Cancel').click()
    await expect(main).toContainText(/Canceled: \d+ done/)
    await lookAtState(page, 'a job that was cancelled', 'main')

    const cancelled = page.url()
    await page.goto(`${new URL(cancelled).origin}/leads?status=rejected`)
    await page.getByRole('button', { name: /^Act on all / }).click()
    await button('Plan').click()
    await page.getByLabel('Reason').fill('the distributor is back')
    await page.getByLabel('Leads per second').fill('60')
    await button('Start').click()
    await expect(main).toContainText('Job started')
    await expect(main).toContainText(/Done: \d+ done/)
    await expect(main).not.toContainText('Job started')
    await lookAtState(page, 'a job that is done', 'main')

    await page.goto(cancelled)
    await page
      .getByRole('link', { name: /^View leads ?:/ })
      .first()
      .click()
    await expect(page.getByRole('table', { name: 'Leads' }).locator('tbody tr')).not.toHaveCount(0)
    await page.getByRole('link', { name: 'Jobs', exact: true }).click()
    await expect(page.getByRole('table', { name: 'Jobs' })).toContainText('the distributor is back')
  } finally {
    await product.stop()
  }
})
