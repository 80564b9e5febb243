import { join } from 'node:path'
import { aptOf } from './apt.mjs'
import { keptJson } from './kept-json.mjs'
import { onPath } from './machine.mjs'
import { playwrightsBrowser, playwrightsInstall } from './playwrights-browser.mjs'
import { withProgress } from './progress.mjs'
import { SetupError } from './setup-error.mjs'

/** WebKitGTK has no headless mode, so it comes with a screen in memory; and a bare image has no font. */
const PACKAGES = ['firefox-esr', 'webkit2gtk-driver', 'xvfb', 'fonts-liberation']

/** @typedef {import('./machine.mjs').Machine} Machine */

/**
 * Firefox and WebKit as the system's packages give them; where it has none, Playwright's own builds. Where they
 * stand is kept in node_modules/.cache/browsers.json.
 * @param {string} root
 * @param {Machine} machine
 */
export function browsers(root, machine) {
  const kept = keptJson(join(root, 'node_modules', '.cache', 'browsers.json'))
  return {
    isStale() {
      /** @type {Record<'firefox' | 'webkit', Record<string, string>> | undefined} */
      const found = kept.read()
      const paths = found && [...Object.values(found.firefox), ...Object.values(found.webkit)]
      return !paths?.every((path) => machine.isExecutable(path))
    },

    /** @param {(pid: number) => void} onStart */
    async bring(onStart) {
      const found = await bringBrowsers(root, machine, onStart)
      kept.write(found)
    },
  }
}

/**
 * @param {string} root
 * @param {Machine} machine
 * @param {(pid: number) => void} onStart
 */
async function bringBrowsers(root, machine, onStart) {
  const find = () => ({
    firefox: findFirefox(machine) ?? playwrights(root, machine, 'firefox'),
    webkit: findWebKit(machine) ?? playwrights(root, machine, 'webkit'),
  })
  let found = find()
  if (found.firefox && found.webkit) return found
  return withProgress('Installing Firefox and WebKit for the browser stories', async () => {
    const said = []
    const apt = aptOf(machine, onStart)
    if (apt) {
      said.push(await apt.install(PACKAGES))
      found = find()
      if (found.firefox && found.webkit) return found
    }
    const missing = /** @type {const} */ (['firefox', 'webkit']).filter((name) => !found[name])
    said.push(await playwrightsInstall(root, machine, missing, onStart))
    found = find()
    if (found.firefox && found.webkit) return found
    throw new SetupError(
      `${said.map(({ output }) => output).join('\n')}\n\nThe browser stories need Firefox and WebKit, and these ` +
        `could not be installed: ${missing.join(', ')}. The words above say why.\nOn Debian: apt install ` +
        `${PACKAGES.join(' ')}. Elsewhere: npx playwright install firefox webkit. Then run the command again.`,
    )
  })
}

/**
 * Ubuntu's Firefox is a snap: it has a /tmp of its own, so it would not find the profile that the stories give it.
 * A Mac's Firefox opens its lists by arrow keys. For both there is Playwright's.
 * @param {Machine} machine
 * @returns {{ executable: string } | undefined}
 */
export function findFirefox(machine) {
  if (machine.platform === 'darwin') return
  const isSnap = machine.exists('/snap/bin/firefox')
  const executable = ['firefox-esr', ...(isSnap ? [] : ['firefox'])]
    .flatMap((name) => onPath(machine, name))
    .find((path) => machine.answer(path, ['--version']) !== undefined)
  return executable === undefined ? undefined : { executable }
}

/**
 * The driver knows where its own browser stands.
 * @param {Machine} machine
 * @returns {{ driver: string, xvfb: string } | undefined}
 */
export function findWebKit(machine) {
  const [driver] = onPath(machine, 'WebKitWebDriver')
  const [xvfb] = onPath(machine, 'Xvfb')
  return driver !== undefined && xvfb !== undefined ? { driver, xvfb } : undefined
}

/**
 * @param {string} root
 * @param {Machine} machine
 * @param {'firefox' | 'webkit'} name
 */
function playwrights(root, machine, name) {
  const executable = playwrightsBrowser(root, machine, name)
  return executable === undefined ? undefined : { playwrights: executable }
}
