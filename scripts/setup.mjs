// This file runs before anything is installed, on Node 20 or later, so it uses only Node's own modules.
import { constants } from 'node:os'
import { join } from 'node:path'
import { argv, env, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { build, buildCommands } from './setup/build.mjs'
import { dependencies, npmPackages } from './setup/dependencies.mjs'
import { withLock } from './setup/lock.mjs'
import { endTools, SetupError, say, thisMachine } from './setup/machine.mjs'
import { tools } from './setup/tools.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @param {string | undefined} command */
function stepsFor(command) {
  const installed = dependencies(root, thisMachine)
  const built = build(root, thisMachine)
  switch (command) {
    case 'dev':
      return [installed]
    case 'leads':
      return [installed, buildCommands(root, thisMachine)]
    case 'start':
    case 'build':
      return [installed, built]
    case 'test':
    case 'browsers':
      return [installed, built, tools(root, thisMachine, command)]
    case 'bench': {
      // Lighthouse alone is larger than all of the product's own dependencies, and only benchmarks need it.
      const folder = join(root, 'bench')
      const packages = npmPackages(folder, thisMachine, 'Installing the benches’ packages', {
        args: ['--ignore-scripts'],
      })
      return [installed, built, tools(root, thisMachine, command), packages]
    }
    default:
      throw new SetupError(
        'Usage: node scripts/setup.mjs <start|dev|test|bench|browsers|leads|build>',
      )
  }
}

/** @param {string | undefined} command */
async function setUp(command) {
  if (thisMachine.platform === 'win32') {
    throw new SetupError('Windows itself is not supported: run this in WSL (https://aka.ms/wsl).')
  }
  const steps = stepsFor(command)
  if (!steps.some((step) => step.isStale())) {
    if (command === 'build') say('Nothing to build: dist is up to date.')
    return
  }
  await withLock(
    join(root, '.cache', 'setup.lock'),
    async () => {
      for (const step of steps) if (step.isStale()) await step.update()
    },
    (pid) => say(`Waiting for another start in this folder (process ${pid}) …`),
  )
}

let isStopped = false
/** @param {'SIGINT' | 'SIGTERM' | 'SIGHUP'} signal */
async function stop(signal) {
  if (isStopped) return
  isStopped = true
  await endTools()
  exit(128 + constants.signals[signal])
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, stop)
}
if (env.npm_lifecycle_event) {
  // A SIGTERM to `npm start` ends only the shell between npm and this process, so this process checks whether its
  // parent is still the same.
  const shell = process.ppid
  setInterval(() => process.ppid === shell || stop('SIGTERM'), 500).unref()
}

try {
  await setUp(argv[2])
} catch (error) {
  // A tool that was ended on request is no fault: the signal handler exits with the signal's code.
  if (!isStopped) {
    say(error instanceof SetupError ? `\n${error.message}` : inspect(error))
    exit(error instanceof SetupError ? error.exitCode : 1)
  }
}
