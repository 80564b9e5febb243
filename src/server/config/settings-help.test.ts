import { expect, test } from 'vitest'
import { settingNames } from './setting-declarations.ts'
import { formatSettingsHelp } from './settings-help.ts'

test('lists every setting, with its default and whether it may come from a file', () => {
  const help = formatSettingsHelp()
  for (const name of settingNames)
    expect(help).toMatch(new RegExp(`^  ${name}\\b.*\\n {6}\\S`, 'm'))
  expect(help).toMatch(/^ {2}PORT {2}\[3000\]$/m)
  expect(help).toMatch(/^ {2}DATABASE_URL \*$/m)
  expect(help).toMatch(/^ {2}GEOCODING_URL \* {2}\[in production https:\S+\]$/m)
})
