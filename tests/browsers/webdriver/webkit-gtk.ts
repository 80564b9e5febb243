import { spawn } from 'node:child_process'
import { freePort } from '#tests/product/free-port.ts'
import type { Candidate } from '../browser.ts'
import { endProcess, remember } from '../end-process.ts'
import { eventually } from '../eventually.ts'
import { virtualScreen } from './virtual-screen.ts'
import { webDriver } from './web-driver.ts'
import { webDriverTab } from './web-driver-tab.ts'

/** WebKitGTK's MiniBrowser. WebKitWebDriver starts one for each tab. It has no headless mode. */
export const webKitGtk = (driverPath: string, xvfb: string): Candidate => ({
  name: 'WebKitGTK',
  protocol: 'WebDriver',
  async start({ javaScript }) {
    const screen = await virtualScreen(xvfb)
    const port = await freePort()
    const env = { ...process.env, DISPLAY: screen.display, GDK_BACKEND: 'x11' }
    const args = [`--port=${port}`]
    const driverProcess = remember(spawn(driverPath, args, { env, stdio: 'ignore' }))
    const driver = webDriver(`http://127.0.0.1:${port}`)
    const close = async () => {
      await endProcess(driverProcess)
      await screen.close()
    }
    const newTab = () => webDriverTab(driver, capabilities(javaScript))
    try {
      await eventually(() => driver('GET', '/status'))
      const tab = await newTab()
      await tab.close()
      return { version: tab.version, newTab, close }
    } catch (error) {
      await close()
      throw error
    }
  },
})

/** MiniBrowser accepts WebKit's settings as options. These options replace the driver's own, `--automation`. */
const capabilities = (javaScript: boolean) =>
  javaScript
    ? {}
    : { 'webkitgtk:browserOptions': { args: ['--automation', '--enable-javascript=0'] } }
