import type { BrowserType, Locator, Page } from '@playwright/test'
import type { Candidate, Found, Tab } from '../browser.ts'

/** Playwright's build of a browser, for systems without their own. */
export const playwrightsBuild = (
  name: string,
  type: BrowserType,
  executablePath: string,
): Candidate => ({
  name,
  protocol: 'Playwright',
  async start({ javaScript }) {
    const browser = await type.launch({ executablePath })
    return {
      version: browser.version(),
      async newTab() {
        const viewport = { width: 1280, height: 900 }
        return tab(await browser.newPage({ viewport, javaScriptEnabled: javaScript }))
      },
      close: () => browser.close(),
    }
  },
})

const tab = (page: Page): Tab => ({
  async open(url) {
    await page.goto(url)
  },
  async reload() {
    await page.reload()
  },
  async back() {
    await page.goBack()
  },
  async find(role, name) {
    const all = page.getByRole(role, name === undefined ? {} : { name, exact: true })
    return (await all.all()).map(found)
  },
  type: (text) => page.keyboard.type(text),
  press: (key) => page.keyboard.press(key === 'Control+a' ? 'ControlOrMeta+a' : key),
  screenshot: () => page.screenshot(),
  close: () => page.close(),
})

const found = (locator: Locator): Found => ({
  read: (from) => locator.evaluate(from as (element: HTMLElement | SVGElement) => never),
  click: () => locator.click(),
  async choose(option) {
    await locator.selectOption({ label: option })
  },
})
