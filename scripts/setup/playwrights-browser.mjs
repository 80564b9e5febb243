import { join } from 'node:path'
import { run } from './run.mjs'
import { runtimeAt } from './runtime.mjs'

/** @typedef {import('./machine.mjs').Machine} Machine */
/** @typedef {'chromium' | 'chromium-headless-shell' | 'firefox' | 'webkit'} Name */

/**
 * The build in Playwright's own cache, if it was ever downloaded.
 * @param {string} root
 * @param {Machine} machine
 * @param {Name} name
 * @returns {string | undefined} path of the executable
 */
export function playwrightsBrowser(root, machine, name) {
  // The public way knows no headless shell.
  const where = join(root, 'node_modules', 'playwright-core', 'lib', 'coreBundle.js')
  const ask =
    'process.stdout.write(require(process.argv[1]).registry.registry.findExecutable(process.argv[2]).executablePath())'
  const path = machine.answer(runtimeAt(root), ['-e', ask, where, name])
  return path && machine.isExecutable(path) ? path : undefined
}

/**
 * Their libraries are Playwright's to name; without root it only says which are missing.
 * @param {string} root
 * @param {Machine} machine
 * @param {readonly Name[]} names
 * @param {(pid: number) => void} onStart
 */
export function playwrightsInstall(root, machine, names, onStart) {
  const cli = join(root, 'node_modules', 'playwright-core', 'cli.js')
  const without = names.includes('chromium-headless-shell') ? [] : ['--no-shell']
  const words = ['install', ...names, ...without, ...(machine.isRoot ? ['--with-deps'] : [])]
  return run(runtimeAt(root), [cli, ...words], { cwd: root, env: machine.env, onStart })
}
