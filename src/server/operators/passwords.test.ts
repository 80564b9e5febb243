import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './passwords.ts'

test('a password is hashed by Argon2id with the memory and passes that OWASP recommends first', async () => {
  const password = 'four words nobody says'
  const hash = await hashPassword(password)
  const [, salt = '', tag = ''] =
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([\w+/]{22})\$([\w+/]{43})$/.exec(hash) ?? []
  const nonce = Buffer.from(salt, 'base64')
  const stated = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
  expect(argon2Sync('argon2id', { message: password, nonce, ...stated })).toEqual(
    Buffer.from(tag, 'base64'),
  )
  expect(await verifyPassword(password, hash)).toBe(true)
  expect(await verifyPassword('five words nobody says', hash)).toBe(false)
})
