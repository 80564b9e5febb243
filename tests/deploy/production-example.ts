import type { SettingDeclaration } from '#server/config/setting-declarations.ts'
import { settingGroups } from '#server/config/setting-declarations.ts'

const head = `# All production settings. Copy this file to production.env (never into git), and fill in the settings without a #.
# To change a default, remove the # and change the value.
# The distributor's address, Google's key and the database's address have their own files: docs/deploy.md.
# A test generates this file from src/server/config/setting-declarations.ts.
# If a required setting is missing, the product exits with code 78 and lists every missing setting.
`

/** Generates the whole deploy/production.env.example. */
export function productionExample(): string {
  const groups = Object.entries(settingGroups).map(([title, group]) => {
    const entries = Object.entries<SettingDeclaration>(group).filter(
      ([, { isForDemo }]) => !isForDemo,
    )
    return `\n# ---- ${title} ----\n${entries.map(entry).join('')}`
  })
  return head + groups.join('')
}

function entry([name, setting]: [string, SettingDeclaration]): string {
  return `\n# ${setting.means}${remark(setting)}\n${assignment(name, setting)}\n`
}

/** The notes on a setting beside its meaning. */
function remark(setting: SettingDeclaration): string {
  const { mayBeSecret, mayBeEmpty, isNeeded, isOfStore, byDefault, inProduction, inDemo } = setting
  const remarks = [
    mayBeSecret ? 'The value may contain a secret: …_FILE=/path reads it from a file.' : '',
    mayBeEmpty
      ? 'To do without, remove the #: an empty value means none, a missing setting is a fault.'
      : '',
    mayBeSecret && isNeeded && !mayBeEmpty ? 'This setting is required.' : '',
    [inProduction, byDefault, inDemo, isNeeded].every((value) => value === undefined) &&
    !setting.means.includes('by default')
      ? 'No default.'
      : '',
    isOfStore
      ? 'Under systemd, set it in store.env instead, which the units and the command leads read.'
      : '',
  ].filter((text) => text !== '')
  return remarks.map((text) => `\n# ${text}`).join('')
}

function assignment(name: string, setting: SettingDeclaration): string {
  const { example, byDefault, inProduction, inDemo, isNeeded, mayBeSecret, mayBeEmpty } = setting
  const otherwise = inProduction ?? byDefault
  if (mayBeEmpty) return `#${name}=`
  if (mayBeSecret && otherwise === undefined) return `#${name}_FILE=`
  if (example !== undefined) return `${name}=${example}`
  if (isNeeded || inDemo !== undefined) return `${name}=`
  return `#${name}=${otherwise ?? ''}`
}
