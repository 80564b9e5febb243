import { type Environment, environment, environmentNames, mayBeSecret } from './environment.ts'
import { settingMeanings } from './setting-meanings.ts'

const start = `Usage: npm start

Serves the site, and in demo mode the sandbox. Configuration is the environment alone: it is read and checked once, every
fault is listed at once, and the process then ends with 78. SIGTERM stops it.

Settings, with their defaults:
`

const end = `
  *  can have a secret in it: NAME_FILE=/path takes the value from a file instead, as container platforms give it.

An empty value counts as not set, except where empty says to do without. APP_MODE=production refuses to start while
anything is missing or still a demo value, and says what.
`

/** Every setting with its default and its meaning, for a terminal. */
export function settingsHelp(): string {
  return `${start}${environmentNames.map(entry).join('')}${end}`
}

function entry(name: keyof Environment): string {
  const given = environment.entries[name].default
  const mark = mayBeSecret.has(name) ? ' *' : ''
  const byDefault = given ? `  [${given}]` : ''
  return `\n  ${name}${mark}${byDefault}\n      ${settingMeanings[name]}\n`
}
