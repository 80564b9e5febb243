import { describe, expect, test } from 'vitest'
import { findDatabaseUrlFault, hasCredentials } from './url-credentials.ts'

describe('a database’s URL', () => {
  test.each([
    ...['k@7Wq', '12@7Wq', '12/7Wq', 'k/7Wq@x', '5432?7Wq', '1#7Wq', 'k%7Wq', '100%', 'k 7Wq'],
    ...['%E4', 'k%zz', 'a:b@7Wq', 'k\t7Wq', '12/7@W@q', ' k', '%', '/', '@', '#', '?'],
  ])('with the password %j, unencoded, is refused without showing it', (password) => {
    for (const rest of ['db.example:5432/leads', 'db.example', '[::1]/leads?sslmode=require']) {
      const fault = findDatabaseUrlFault(`postgres://leads:${password}@${rest}`)
      expect(fault).toContain('percent-encode the password')
      expect(fault).not.toContain('7W')
    }
  })

  test.each(['postgres://leads%3A7Wq%40db.example/leads', 'postgres://leads:a@7Wq%40db.example'])(
    '%s, whose own @ is encoded, is refused',
    (url) => expect(findDatabaseUrlFault(url)).toContain('percent-encode the password'),
  )

  test.each([
    ...['mysql://leads:7Wq@db/leads', 'host=db password=7Wq', '', 'postgres:leads:7Wq@db'],
    ...['"postgres://leads:7Wq@db/leads"', 'postgres://leads:7Wq@db:port/leads'],
  ])('%j is none', (url) => expect(findDatabaseUrlFault(url)).toBe('must be a postgres:// URL'))

  test.each([
    ...[
      'postgres://db.example/leads',
      'postgresql://leads@db.example',
      'postgres://leads:a:b@db/x',
    ],
    'postgres://le%40ds:%40%2F%23%3F%25%3A%20@db.example:5432/leads?options=-c%20search_path%3Dx',
    ...['postgres:///leads?host=/run/postgresql', 'postgres://leads:7!$&()*+,;=[]^|Wq@[::1]:1/x'],
    'postgres://leads:w@%2Frun%2Fpostgresql/leads?user=a%40b',
  ])('%s is accepted', (url) => expect(findDatabaseUrlFault(url)).toBeUndefined())
})

test.each([
  ['https://ada:7Wq@x.example/', true],
  ['https://ada@x.example/', true],
  ['https://ada:12/7Wq@x.example/', true],
  ['https://ada:/7Wq@x.example/', true],
  ['https:\\\\ada:12#7Wq@x.example', true],
  ['https://[::1]:3000/?to=ada@x.example', true],
  ['https://x.example/@team?to=ada@x.example', false],
  ['https://[::1]/@team', false],
  ['https://x.example:8443/in?key=a:b', false],
])('%s has credentials: %s', (url, has) => expect(hasCredentials(url)).toBe(has))
