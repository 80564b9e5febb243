import { join } from 'node:path'
import { aptOf } from './apt.mjs'
import { keptJson } from './kept-json.mjs'
import { onPath } from './machine.mjs'
import { playwrightsBrowser, playwrightsInstall } from './playwrights-browser.mjs'
import { withProgress } from './progress.mjs'
import { SetupError } from './setup-error.mjs'

/** @typedef {import('./machine.mjs').Machine} Machine */

export const headlessShellPackage = 'chromium-headless-shell'

/**
 * Chromium without the desktop's window, for Lighthouse. Where it stands is kept in
 * node_modules/.cache/headless-shell.json.
 * @param {string} root
 * @param {Machine} machine
 */
export function headlessShell(root, machine) {
  const kept = keptJson(join(root, 'node_modules', '.cache', 'headless-shell.json'))
  return {
    isStale() {
      const path = kept.read()?.path
      return path === undefined || !machine.isExecutable(path)
    },

    /** @param {(pid: number) => void} onStart */
    async bring(onStart) {
      const path = findHeadlessShell(root, machine) ?? (await install(root, machine, onStart))
      kept.write({ path })
    },
  }
}

/**
 * @param {string} root
 * @param {Machine} machine
 * @returns {string | undefined} path of the executable
 */
export function findHeadlessShell(root, machine) {
  return (
    onPath(machine, headlessShellPackage)[0] ??
    playwrightsBrowser(root, machine, headlessShellPackage)
  )
}

/**
 * @param {string} root
 * @param {Machine} machine
 * @param {(pid: number) => void} onStart
 */
function install(root, machine, onStart) {
  return withProgress('Installing the Chromium that Lighthouse visits by', async () => {
    const said = []
    const apt = aptOf(machine, onStart)
    if (apt) said.push(await apt.install([headlessShellPackage]))
    const installed = findHeadlessShell(root, machine)
    if (installed !== undefined) return installed

    said.push(await playwrightsInstall(root, machine, [headlessShellPackage], onStart))
    const downloaded = findHeadlessShell(root, machine)
    if (downloaded !== undefined) return downloaded
    throw new SetupError(
      `${said.map(({ output }) => output).join('\n')}\n\nThe benchmarks need Chromium's headless shell, and it could ` +
        'not be installed: the words above say why.\nOn Debian: apt install chromium-headless-shell. Elsewhere: ' +
        'npx playwright install chromium-headless-shell. Then run the command again.',
    )
  })
}
