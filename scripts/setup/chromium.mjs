import { aptOf } from './apt.mjs'
import { findHeadlessShell, headlessShellPackage } from './headless-shell.mjs'
import { playwrightsBrowser, playwrightsInstall } from './playwrights-browser.mjs'
import { withProgress } from './progress.mjs'
import { SetupError } from './setup-error.mjs'

const LINUX = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]
const MAC = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
]

/** @typedef {import('./machine.mjs').Machine} Machine */

/**
 * A Chromium that starts, the headless shell before others: with a window, drawn or not, the browser journeys took 1.8
 * times as much of the processor. On Ubuntu `chromium-browser` may be a stub that only asks for a snap, so each is asked
 * for its version.
 * @param {string} root
 * @param {Machine} machine
 * @returns {string | undefined} path of the executable
 */
export function findChromium(root, machine) {
  const asked = machine.env.CHROMIUM_PATH
  if (asked) {
    if (starts(machine, asked)) return asked
    throw new SetupError(
      'CHROMIUM_PATH does not name a Chromium that starts. Correct it, or unset it.',
    )
  }
  return (
    findHeadlessShell(root, machine) ??
    wellKnown(machine).find((path) => starts(machine, path)) ??
    playwrightsChromium(root, machine)
  )
}

/**
 * @param {string} root
 * @param {Machine} machine
 * @param {(pid: number) => void} onStart
 * @returns {Promise<string>} path of the executable
 */
export async function bringChromium(root, machine, onStart) {
  const found = findChromium(root, machine)
  if (found !== undefined) return found
  return withProgress('Installing Chromium for the browser tests', async () => {
    const said = []
    const apt = aptOf(machine, onStart)
    // Without a font of its own a bare image draws no text, and layouts measure wrong.
    if (apt) said.push(await apt.install([headlessShellPackage, 'fonts-liberation']))
    const installed = findChromium(root, machine)
    if (installed !== undefined) return installed

    said.push(await playwrightsInstall(root, machine, [headlessShellPackage], onStart))
    const downloaded = findHeadlessShell(root, machine)
    if (downloaded !== undefined) return downloaded
    throw new SetupError(
      `${said.map(({ output }) => output).join('\n')}\n\nThe browser tests need a Chromium, and none could be ` +
        'installed: the words above say why.\nInstall Chromium or Google Chrome by your system’s means, or set ' +
        'CHROMIUM_PATH to one, and run the command again.',
    )
  })
}

/** @param {Machine} machine */
function wellKnown({ platform, env }) {
  if (platform !== 'darwin') return LINUX
  return ['/Applications', `${env.HOME}/Applications`].flatMap((folder) =>
    MAC.map((app) => `${folder}/${app}`),
  )
}

/**
 * @param {string} root
 * @param {Machine} machine
 */
function playwrightsChromium(root, machine) {
  const path = playwrightsBrowser(root, machine, 'chromium')
  return path && starts(machine, path) ? path : undefined
}

/**
 * @param {Machine} machine
 * @param {string} path
 */
function starts(machine, path) {
  return machine.isExecutable(path) && machine.answer(path, ['--version']) !== undefined
}
