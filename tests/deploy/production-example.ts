import type { Setting } from '#server/config/declared-settings.ts'
import { settingGroups } from '#server/config/declared-settings.ts'

const head = `# Every setting of production. Copy to production.env (never into git) and fill in what stands without a # before it;
# take the # away where you want another value than the default that stands there.
# The distributor's address, Google's key and the database's address stand in files of their own: docs/deploy.md.
# This file is made of the product's own declarations: src/server/config/declared-settings.ts.
# Until all that is needed is filled in the product ends with 78 and says what is missing.
`

/** Generates the whole deploy/production.env.example. */
export function productionExample(): string {
  const groups = Object.entries(settingGroups).map(([title, group]) => {
    const entries = Object.entries<Setting>(group).filter(([, { isForDemo }]) => !isForDemo)
    return `\n# ---- ${title} ----\n${entries.map(entry).join('')}`
  })
  return head + groups.join('')
}

function entry([name, setting]: [string, Setting]): string {
  return `\n# ${setting.means}${remark(setting)}\n${assignment(name, setting)}\n`
}

/** The notes on a setting beside its meaning. */
function remark(setting: Setting): string {
  const { mayBeSecret, mayBeEmpty, isNeeded, isOfStore, byDefault, inProduction, inDemo } = setting
  const remarks = [
    mayBeSecret ? 'It can have a secret in it: …_FILE=/path takes it from a file.' : '',
    mayBeEmpty ? 'Take away the # to do without: set empty is a decision, not set is a fault.' : '',
    mayBeSecret && isNeeded && !mayBeEmpty ? 'It must be given.' : '',
    [inProduction, byDefault, inDemo, isNeeded].every((value) => value === undefined) &&
    !setting.means.includes('by default')
      ? 'Nothing by default.'
      : '',
    isOfStore
      ? 'Under systemd it belongs in store.env, not here: units and the verb leads both read that.'
      : '',
  ].filter((text) => text !== '')
  return remarks.map((text) => `\n# ${text}`).join('')
}

function assignment(name: string, setting: Setting): string {
  const { example, byDefault, inProduction, inDemo, isNeeded, mayBeSecret, mayBeEmpty } = setting
  const otherwise = inProduction ?? byDefault
  if (mayBeEmpty) return `#${name}=`
  if (mayBeSecret && otherwise === undefined) return `#${name}_FILE=`
  if (example !== undefined) return `${name}=${example}`
  if (isNeeded || inDemo !== undefined) return `${name}=`
  return `#${name}=${otherwise ?? ''}`
}
