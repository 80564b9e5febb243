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
  expect(await verifyPassword(password, hash, 'strangers')).toBe(true)
  expect(await verifyPassword('five words nobody says', hash, 'strangers')).toBe(false)
})

test('strangers who guess passwords fill only their own queue', async () => {
  const password = 'four words nobody says'
  const hash = await hashPassword(password)
  const guesses = Array.from({ length: 60 }, (_, guess) =>
    verifyPassword(`guess ${guess}`, hash, 'strangers').catch((error: Error) => error.name),
  )
  let areGuessesOver = false
  void Promise.all(guesses).then(() => {
    areGuessesOver = true
  })
  const known = Array.from({ length: 12 }, () => verifyPassword(password, hash, 'known browsers'))
  expect(await Promise.all(known)).toEqual(Array(12).fill(true))
  // Somebody who has signed in before doesn't wait until all guesses are checked.
  expect(areGuessesOver).toBe(false)
  const results = await Promise.all(guesses)
  expect(results.filter((result) => result === 'TooManyAttemptsError')).toHaveLength(10)
})
