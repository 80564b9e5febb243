import { join } from 'node:path'
import { aptOf } from './apt.mjs'
import { onPath } from './machine.mjs'
import { withProgress } from './progress.mjs'
import { run } from './run.mjs'
import { SetupError } from './setup-error.mjs'

/** By what the environment may call it: a program that tests run, its Debian package, and where that has it. */
const programs = /** @type {const} */ ({
  CADDY_PATH: { packages: ['caddy'], file: 'usr/bin/caddy' },
  NGINX_PATH: { packages: ['nginx', 'nginx-common'], file: 'usr/sbin/nginx' },
})

/** @typedef {keyof typeof programs} ProgramName */
/** @typedef {import('./machine.mjs').Machine} Machine */

export const programNames = /** @type {readonly ProgramName[]} */ (Object.keys(programs))

/**
 * @param {string} root
 * @param {Machine} machine
 * @param {ProgramName} name
 */
export function findProgram(root, machine, name) {
  const { file } = programs[name]
  const command = file.split('/').at(-1) ?? file
  return [
    machine.env[name],
    ...onPath(machine, command),
    `/${file}`,
    join(unpacked(root), file),
  ].find((path) => path !== undefined && machine.isExecutable(path))
}

/**
 * Debian's packages are unpacked, not installed: that starts no service, changes nothing on the machine and asks for no
 * password.
 * @param {string} root
 * @param {Machine} machine
 * @param {(pid: number) => void} onStart
 * @param {ProgramName} name
 * @returns {Promise<string>} the program
 */
export async function bringProgram(root, machine, onStart, name) {
  const found = findProgram(root, machine, name)
  if (found !== undefined) return found
  const { packages, file } = programs[name]
  return withProgress(`Unpacking Debian’s ${packages[0]} for the tests`, async () => {
    const script = `mkdir -p "$1" && cd "$1" && shift && apt-get -qq download "$@" && for deb in *.deb; do dpkg -x "$deb" .; done && rm ./*.deb`
    const unpack = () => run('sh', ['-c', script, 'sh', unpacked(root), ...packages], { onStart })
    let said = await unpack()
    if (!said.ok) {
      // A container's lists of packages are mostly empty.
      await aptOf(machine, onStart)?.asRoot('apt-get', ['-qq', 'update'])
      said = await unpack()
    }
    const program = findProgram(root, machine, name)
    if (program !== undefined) return program
    throw new SetupError(
      `${said.output}\n\nThe tests of what stands in front of the product need ${packages[0]}, and it could not be ` +
        `unpacked from Debian’s packages.\nInstall it by your system’s means, or set ${name} to the program (${file}), ` +
        'and run the command again.',
    )
  })
}

/** @param {string} root */
const unpacked = (root) => join(root, 'node_modules', '.cache', 'debian')
