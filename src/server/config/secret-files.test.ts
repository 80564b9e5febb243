import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { readSettings, secretSettingNames } from './read-settings.ts'
import { settingNames } from './setting-declarations.ts'

const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

function secretFile(text: string, name = 'secret'): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const faultsOf = (variables: Record<string, string>) => {
  const read = readSettings(variables)
  return read.ok ? [] : read.faults
}

const settingsOf = (variables: Record<string, string>) => {
  const read = readSettings(variables)
  if (!read.ok) throw new Error(read.faults.join('\n'))
  return read.settings
}

describe('a secret from a file', () => {
  it.each(['open-sesame', 'open-sesame\n', 'open-sesame\r\n', '\uFEFFopen-sesame\n'])(
    '%j is read without its line break',
    (text) => {
      const { thirdParties } = settingsOf({ GOOGLE_MAPS_API_KEY_FILE: secretFile(text) })
      expect(thirdParties.googleMapsApiKey).toBe('open-sesame')
    },
  )

  it('works for every setting that may be secret', () => {
    const path = secretFile('postgres://leads:open-sesame@db/leads')
    expect(settingsOf({ DATABASE_URL_FILE: path }).store.databaseUrl).toContain('open-sesame')
    const url = secretFile('https://x.example/?key=open-sesame', 'url')
    // A provider's setting without the other provider settings would be a fault of its own.
    const provider = { CONSOLE_OIDC_ISSUER: 'https://x.example', CONSOLE_OIDC_CLIENT_ID: 'console' }
    for (const name of secretSettingNames) {
      const given = {
        APP_MODE: 'demo',
        [`${name}_FILE`]: url,
        ...(name.includes('OIDC') ? provider : {}),
      }
      if (name !== 'DATABASE_URL') expect(faultsOf(given)).toEqual([])
    }
  })

  it('works for every setting whose name says that it is secret', () => {
    const bySound = settingNames.filter((name) => /SECRET|PASSWORD|TOKEN|_KEY/.test(name))
    expect(secretSettingNames).toEqual(expect.arrayContaining(bySound))
  })

  it('may have an empty name, because a compose file passes unset variables as empty', () => {
    const { thirdParties } = settingsOf({
      GOOGLE_MAPS_API_KEY: 'open-sesame',
      GOOGLE_MAPS_API_KEY_FILE: '',
    })
    expect(thirdParties.googleMapsApiKey).toBe('open-sesame')
  })

  it('is used beside an empty value', () => {
    const path = secretFile('https://x.example/{ip}')
    const given = { APP_MODE: 'demo', DISTRIBUTOR_URL: '', DISTRIBUTOR_URL_FILE: path }
    expect(faultsOf(given)).toEqual([])
  })
})

describe('a fault of a secret’s file', () => {
  const missing = join(folder, 'missing')
  const name = 'GOOGLE_MAPS_API_KEY_FILE'

  test.each([
    [
      'a value that is set too',
      { [name]: missing, GOOGLE_MAPS_API_KEY: 'open-sesame' },
      'keep one',
    ],
    ['no file', { [name]: missing }, 'from the file that GOOGLE_MAPS_API_KEY_FILE names (ENOENT)'],
    ['a folder', { [name]: folder }, '(EISDIR)'],
    ['an empty file', { [name]: secretFile(' \n', 'empty') }, 'must be the only line of its file'],
    ['more lines', { [name]: secretFile('open-sesame\nb', 'lines') }, 'must be the only line'],
    ['the secret instead of a path', { [name]: 'open-sesame' }, '(ENOENT)'],
    [
      'an address instead of a path',
      { DATABASE_URL_FILE: 'postgres://leads:open-sesame@db/leads' },
      '(ENOENT)',
    ],
    [
      'a name that is misspelt',
      { DATABASE_URL_FIEL: missing },
      'DATABASE_URL_FIEL is not a setting; did you mean DATABASE_URL_FILE?',
    ],
    [
      'a value that is wrong',
      { DATABASE_URL_FILE: secretFile('mysql://leads:open-sesame@db', 'wrong') },
      'DATABASE_URL must be a postgres:// URL (read from DATABASE_URL_FILE)',
    ],
  ])('%s', (_, variables, words) => {
    const faults = faultsOf(variables as Record<string, string>)
    expect(faults).toEqual([expect.stringContaining(words)])
    expect(faults.join()).not.toContain('open-sesame')
  })

  it('are listed once: production does not also call the setting missing', () => {
    const faults = faultsOf({ APP_MODE: 'production', [name]: missing })
    expect(faults.filter((fault) => fault.startsWith('GOOGLE_MAPS_API_KEY'))).toHaveLength(1)
  })
})
