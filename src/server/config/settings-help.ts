import { type SettingDeclaration, settingGroups } from './setting-declarations.ts'

const start = `Usage: npm start

Serves the site, and in demo mode the sandbox. Settings are environment variables. If a setting is wrong at the start,
the process lists all faults and exits with code 78. SIGTERM stops the process.

Settings, with their defaults:
`

const end = `
  *  may be secret: NAME_FILE=/path reads the value from a file instead.

An empty value counts as unset, unless the list above gives it a meaning. With APP_MODE=production, the process does not
start while a value is missing or still a demo value, and lists all such settings.
`

/** Formats the help of `npm start`, which lists every setting with its default and its meaning. */
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
