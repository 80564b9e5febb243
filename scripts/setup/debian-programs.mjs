import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { keptJson } from './kept-json.mjs'
import { onPath } from './machine.mjs'
import { withProgress } from './progress.mjs'
import { run } from './run.mjs'
import { SetupError } from './setup-error.mjs'

/** @typedef {import('./machine.mjs').Machine} Machine */
/** @typedef {keyof typeof programs} ProgramName */

/** What tests run besides: how the environment may name each, its Debian package, and where that has it. */
const programs = {
  promtool: {
    variable: 'PROMTOOL_PATH',
    package: 'prometheus',
    folder: 'usr/bin',
    for: 'the alert rules',
  },
  caddy: { variable: 'CADDY_PATH', package: 'caddy', folder: 'usr/bin', for: 'the Caddyfile' },
  nginx: { variable: 'NGINX_PATH', package: 'nginx', folder: 'usr/sbin', for: 'deploy/nginx' },
}

const names = /** @type {readonly ProgramName[]} */ (Object.keys(programs))

/**
 * Where they stand is kept in node_modules/.cache/debian-programs.json, by their names.
 * @param {string} root
 * @param {Machine} machine
 */
export function debianPrograms(root, machine) {
  const kept = keptJson(join(root, 'node_modules', '.cache', 'debian-programs.json'))
  return {
    isStale() {
      const paths = kept.read() ?? {}
      return names.some((name) => {
        const asked = machine.env[programs[name].variable] || paths[name]
        return asked === undefined || asked !== paths[name] || !machine.isExecutable(asked)
      })
    },

    /** @param {(pid: number) => void} onStart */
    async bring(onStart) {
      /** @type {Record<string, string>} */
      const paths = {}
      for (const name of names) {
        paths[name] =
          findProgram(root, machine, name) ?? (await fetch(root, machine, onStart, name))
      }
      kept.write(paths)
    },
  }
}

/**
 * @param {string} root
 * @param {Machine} machine
 * @param {ProgramName} name
 * @returns {string | undefined} path of the executable
 */
export function findProgram(root, machine, name) {
  const { variable, folder } = programs[name]
  const asked = machine.env[variable]
  if (asked) {
    if (machine.isExecutable(asked)) return asked
    throw new SetupError(`${variable} does not name a program. Correct it, or unset it.`)
  }
  // Those in sbin are on nobody's PATH but root's.
  const candidates = [...onPath(machine, name), `/${folder}/${name}`, unpacked(root, name)]
  return candidates.find(machine.isExecutable)
}

/**
 * @param {string} root
 * @param {ProgramName} name
 */
const folderOf = (root, name) => join(root, '.cache', name)

/**
 * @param {string} root
 * @param {ProgramName} name
 */
const unpacked = (root, name) => join(folderOf(root, name), programs[name].folder, name)

/**
 * Debian's package is fetched and the one program taken out of it, by whoever runs this: installed, it would start a
 * service on this machine.
 * @param {string} root
 * @param {Machine} machine
 * @param {(pid: number) => void} onStart
 * @param {ProgramName} name
 */
function fetch(root, machine, onStart, name) {
  const program = programs[name]
  return withProgress(`Fetching ${name} for the tests of ${program.for}`, async () => {
    const folder = folderOf(root, name)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const words = ['-c', fetching, 'sh', program.package, `./${program.folder}/${name}`]
    const { output } = await run('sh', words, { cwd: folder, env: machine.env, onStart })
    const found = findProgram(root, machine, name)
    if (found !== undefined) return found
    throw new SetupError(
      `${output}\n\nThe tests of ${program.for} run ${name}, and it could not be fetched: the words above say why.\n` +
        `Install ${program.package} by your system’s means (macOS: brew install ${program.package}), so that ${name} is ` +
        `on the PATH, or set ${program.variable} to it, and run the command again.`,
    )
  })
}

/** A fresh container has no lists of packages, and who is not root may not fetch them for all: so they lie here, too. */
const fetching = `
  apt-get -qq download "$1" || {
    mkdir -p lists/partial archives/partial &&
    own="-o Dir::State::Lists=$PWD/lists -o Dir::Cache=$PWD -o Dir::Cache::Archives=$PWD/archives" &&
    apt-get -qq $own update &&
    apt-get -qq $own download "$1"
  } &&
  dpkg-deb --fsys-tarfile "$1"_*.deb | tar -x "$2" &&
  rm -rf "$1"_*.deb lists archives *.bin`
