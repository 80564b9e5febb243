import type { Setting } from './declared-settings.ts'
import { settingGroups } from './declared-settings.ts'

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

/** Lists every setting with its default and its meaning, for a terminal. */
export function settingsHelp(): string {
  const groups = Object.entries(settingGroups).map(
    ([title, group]) => `\n${title}\n${Object.entries(group).map(entry).join('')}`,
  )
  return `${start}${groups.join('')}${end}`
}

function entry([name, setting]: [string, Setting]): string {
  const mark = setting.mayBeSecret ? ' *' : ''
  return `\n  ${name}${mark}${describeDefault(setting)}\n      ${setting.means}\n`
}

function describeDefault({ byDefault, inDemo, inProduction }: Setting): string {
  const production = inProduction === undefined ? [] : [`in production ${inProduction}`]
  const defaults = [byDefault ?? inDemo, ...production].filter(Boolean).join('; ')
  return defaults && `  [${defaults}]`
}
