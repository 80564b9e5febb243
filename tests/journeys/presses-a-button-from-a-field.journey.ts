import { expect, type Locator, type Page } from '@playwright/test'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import {
  expectStep,
  expectThanks,
  fillAboutYou,
  fillAddress,
  fillProgram,
  fillYourEducation,
  next,
  send,
} from './fill-steps.ts'
import { test, visit } from './visit.ts'

declare global {
  interface Window {
    /** The target of the last click, while clicks are caught. */
    clicked?: string | undefined
    catcher?: AbortController
    submits?: string[]
  }
}

/** Until `letClicks`, clicks only record their target. */
const catchClicks = (page: Page) =>
  page.evaluate(() => {
    window.catcher = new AbortController()
    addEventListener(
      'click',
      (event) => {
        event.preventDefault()
        event.stopImmediatePropagation()
        window.clicked = (event.target as Element).closest('a, button')?.textContent ?? ''
      },
      { capture: true, signal: window.catcher.signal },
    )
  })

const letClicks = (page: Page) => page.evaluate(() => window.catcher?.abort())

async function expectStillUnderThePointer(page: Page, control: Locator, target: Locator) {
  const where = `${await control.getAttribute('name')}, then ${await target.textContent()}`
  const place = () => target.evaluate((element) => element.getBoundingClientRect().top + scrollY)
  const height = () => control.evaluate((element) => element.clientHeight)
  await control.focus()
  const stood = { place: await place(), height: await height() }
  await page.keyboard.type('m')
  // A program with a long name may take two lines.
  const isHigher = (await height()) !== stood.height
  if (!isHigher) expect(await place(), `${where}, typed`).toBe(stood.place)

  await target.scrollIntoViewIfNeeded()
  const before = await target.boundingBox()
  if (before === null) throw new Error('it is not shown')
  await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2)
  await page.mouse.down()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  const pressed = await target.boundingBox()
  await page.mouse.up()
  expect([pressed, await target.boundingBox()], where).toEqual([before, before])
  expect(await page.evaluate(() => window.clicked), where).toBe(await target.textContent())
}

async function expectNothingMoves(page: Page, targets: readonly Locator[]) {
  await catchClicks(page)
  for (const control of await page.locator('fieldset :is(input, select)').all()) {
    for (const target of targets) {
      if (await target.isVisible()) await expectStillUnderThePointer(page, control, target)
    }
  }
  await letClicks(page)
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 667 } })

  test('no press on a button is lost, from any field of any step, with or without errors', async ({
    page,
    email,
  }) => {
    const goOn = page.getByRole('button', { name: /^(Next|Agree & Continue)$/ })
    const others = [
      page.getByRole('button', { name: 'Back', exact: true }),
      // Phones do not show a longer list.
      page.locator('[data-summary] ul:not(:has(li:nth-child(3))) a').last(),
      page.getByRole('link', { name: 'Privacy Policy' }).last(),
    ]
    await visit(page, '/business')
    for (const [index, fill] of [
      () => fillAboutYou(page, { ...ada, email }),
      () => fillAddress(page, ada),
      () => fillYourEducation(page, ada),
      () => fillProgram(page, ada),
    ].entries()) {
      await expectStep(page, index + 1)
      await goOn.click()
      await expect(page.locator('form [data-summary]')).toBeFocused()
      await expectNothingMoves(page, [goOn, ...others])
      await fill()
      await expectNothingMoves(page, [goOn])
      await fill()
      await goOn.click()
    }
    await expectThanks(page)
  })
})

/** Presses Next again as soon as the next step appears, like the second half of a double click or tap. */
const pressAgainAtOnce = (page: Page, pointerType: string) =>
  page.evaluate((pointerType) => {
    window.submits = []
    addEventListener('submit', () => window.submits?.push('submit'), { capture: true })
    const press = () => {
      const button = document.querySelector('form button[value=next]')
      const bubbles = { bubbles: true, cancelable: true }
      button?.dispatchEvent(new PointerEvent('pointerdown', { ...bubbles, pointerType }))
      const detail = pointerType === 'mouse' ? 2 : 1
      button?.dispatchEvent(new MouseEvent('click', { ...bubbles, detail }))
      window.submits?.push('pressed again')
    }
    document.addEventListener('enquiry:step', () => setTimeout(press), { once: true })
  }, pointerType)

for (const pointerType of ['mouse', 'touch']) {
  test(`a double press by ${pointerType} goes one step, and shows no errors on the next one`, async ({
    page,
    email,
  }) => {
    const submits = () => page.evaluate(() => window.submits)
    await visit(page, '/business')
    await fillAboutYou(page, { ...ada, email })
    await pressAgainAtOnce(page, pointerType)
    await next(page)
    await expectStep(page, 2)
    await expect.poll(submits).toEqual(['submit', 'pressed again'])
    // A deliberate press is not ignored.
    await next(page)
    await expect.poll(submits).toEqual(['submit', 'pressed again', 'submit'])
    await expect(page.locator('form [data-summary]')).toBeFocused()
  })
}

test('a double press goes one step if only the browser filled in the step', async ({
  page,
  email,
}) => {
  await visit(page, '/business')
  for (const [label, said] of [
    ['First name', ada.firstName],
    ['Last name', ada.lastName],
    ['Phone', ada.phone],
    ['Email', email],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(said)
  }
  await pressAgainAtOnce(page, 'touch')
  await next(page)
  await expectStep(page, 2)
  await expect.poll(() => page.evaluate(() => window.submits)).toEqual(['submit', 'pressed again'])
  await expect(page.locator('form [data-summary]')).toBeHidden()
})

for (const hasTouch of [false, true]) {
  test.describe(hasTouch ? 'by touch' : 'by mouse', () => {
    test.use({ hasTouch })

    test('on the first press on Next, the form asks about a likely typo in the email', async ({
      page,
    }) => {
      await visit(page, '/business')
      await fillAboutYou(page, { ...ada, email: 'ada@gmail.co' })
      const button = page.getByRole('button', { name: 'Next', exact: true })
      await button.scrollIntoViewIfNeeded()
      const box = await button.boundingBox()
      if (box === null) throw new Error('it is not shown')
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2] as const
      await (hasTouch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y, { delay: 100 }))
      const question = page.getByRole('group', { name: 'Did you mean ada@gmail.com?' })
      await expect(question).toBeFocused()
      await expect(question).toBeInViewport()
      await expect(button).toHaveCount(0)
      if (hasTouch) await page.getByRole('button', { name: 'Use ada@gmail.com' }).tap()
      else await page.getByRole('button', { name: 'Keep what I typed' }).click()
      await expectStep(page, 2)
      await page.goBack()
      await expect(page.getByLabel('Email', { exact: true })).toHaveValue(
        hasTouch ? 'ada@gmail.com' : 'ada@gmail.co',
      )
    })
  })
}

test('a double click on the last button selects no text of the thank-you screen', async ({
  page,
  email,
}) => {
  await comeBackTo(page, 4, '/business', { ...ada, email })
  await fillProgram(page, ada)
  // Animations are paused, so that the time until the second click does not matter.
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Animation.enable')
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 })
  await send(page)
  await expectThanks(page)
  const words = page.locator('li', { hasText: 'phone' })
  const selected = () => page.evaluate(() => String(getSelection()))
  await words.dblclick()
  expect(await selected()).toBe('')
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 100 })
  await expect(words).toHaveCSS('user-select', 'auto')
  await words.dblclick()
  expect(await selected()).not.toBe('')
})
