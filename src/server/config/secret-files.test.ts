import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { settingNames } from './declared-settings.ts'
import { readSettings } from './read-settings.ts'
import { secretNames } from './secret-files.ts'

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
    for (const name of secretNames) {
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
    expect(secretNames).toEqual(expect.arrayContaining(bySound))
  })

  it('may be left empty, as a compose file leaves what is not set', () => {
    const { thirdParties } = settingsOf({
      GOOGLE_MAPS_API_KEY: 'open-sesame',
      GOOGLE_MAPS_API_KEY_FILE: '',
    })
    expect(thirdParties.googleMapsApiKey).toBe('open-sesame')
  })

  it('is used beside an empty value, unless the setting may be empty', () => {
    const path = secretFile('https://x.example/{ip}')
    const given = { APP_MODE: 'demo', DISTRIBUTOR_URL: '', DISTRIBUTOR_URL_FILE: path }
    expect(faultsOf(given)).toEqual([])
    expect(faultsOf({ IP_LOOKUP_URL: '', IP_LOOKUP_URL_FILE: path })).toEqual([
      'IP_LOOKUP_URL_FILE and IP_LOOKUP_URL are both set: keep one of them',
    ])
  })
})

describe('its faults', () => {
  const missing = join(folder, 'missing')
  const name = 'GOOGLE_MAPS_API_KEY_FILE'

  test.each([
    ['a value that is set too', { [name]: missing, GOOGLE_MAPS_API_KEY: 'open-sesame' }, 'both'],
    ['no file', { [name]: missing }, `names ${missing}, which cannot be read (ENOENT)`],
    ['a folder', { [name]: folder }, `names ${folder}, which is too large or no file`],
    ['an endless device', { [name]: '/dev/zero' }, 'too large or no file'],
    ['an empty file', { [name]: secretFile(' \n', 'empty') }, 'which is empty'],
    ['a long file', { [name]: secretFile('s'.repeat(20_000), 'long') }, 'too large'],
    ['more lines', { [name]: secretFile('open-sesame\nb', 'lines') }, 'more than one line'],
    ['the secret instead of a path', { [name]: 'open-sesame' }, 'must be the path of a file'],
    [
      'an address instead of a path',
      { DATABASE_URL_FILE: 'postgres://leads:open-sesame@db/leads' },
      'must be the path of a file',
    ],
    ['a setting that is no secret', { SCHOOL_NAME_FILE: missing }, 'set SCHOOL_NAME itself'],
    [
      'a name that is misspelt',
      { DATABASE_URL_FIEL: missing },
      'DATABASE_URL_FIEL is not a setting; did you mean DATABASE_URL_FILE?',
    ],
    [
      'a value that is wrong',
      { DATABASE_URL_FILE: secretFile('mysql://leads:open-sesame@db', 'wrong') },
      'DATABASE_URL must be a postgres:// address (read from DATABASE_URL_FILE)',
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
