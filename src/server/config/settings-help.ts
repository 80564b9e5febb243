import type { SettingDeclaration } from './declared-settings.ts'
import { settingGroups } from './declared-settings.ts'

const start = `Usage: npm start

Serves the site, and in demo mode the sandbox. Settings are environment variables. If any of them is wrong at the start,
the process lists all faults and exits with 78. SIGTERM stops the process.

Settings, with their defaults:
`

const end = `
  *  may be secret: NAME_FILE=/path reads the value from a file instead.

An empty value counts as not set, except where empty has a meaning above. APP_MODE=production refuses to start and lists
everything that is missing or still a demo value.
`

/** Lists every setting with its default and its meaning, for a terminal. */
export function formatSettingsHelp(): string {
  const groups = Object.entries(settingGroups).map(
    ([title, group]) => `\n${title}\n${Object.entries(group).map(formatSetting).join('')}`,
  )
  return `${start}${groups.join('')}${end}`
}

function formatSetting([name, setting]: [string, SettingDeclaration]): string {
  const mark = setting.mayBeSecret ? ' *' : ''
  return `\n  ${name}${mark}${describeDefault(setting)}\n      ${setting.means}\n`
}

function describeDefault({ byDefault, inDemo, inProduction }: SettingDeclaration): string {
  const production = inProduction === undefined ? [] : [`in production ${inProduction}`]
  const defaults = [byDefault ?? inDemo, ...production].filter(Boolean).join('; ')
  return defaults && `  [${defaults}]`
}
