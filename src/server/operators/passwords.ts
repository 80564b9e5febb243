import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { NewCredential } from './credentials.ts'
import type { Operator } from './operator.ts'
import { TooManyAttemptsError } from './sign-in-attempts.ts'

/** The shortest and longest password, in characters. A longer password would take long to hash without being safer. */
const minLength = 12
const maxLength = 200

/** Returns the reason why a new password is refused, in words; undefined if it is accepted. */
async function findPasswordFault(password: string, email: string): Promise<string | undefined> {
  if (password.length < minLength)
    return `Choose ${minLength} characters or more. A few unrelated words are easiest to remember.`
  if (password.length > maxLength) return `Choose ${maxLength} characters or fewer.`
  const [name = ''] = email.split('@')
  const lower = password.toLowerCase()
  if (name.length > 3 && lower.includes(name))
    return 'Choose a password that doesn’t contain your email address.'
  if (await isLeakedPassword(lower))
    return 'Lists of leaked passwords, which attackers try first, contain this password or a similar one. Choose another.'
  return undefined
}

/** Makes the credential for a new password, or returns the reason why the password is refused, in words. */
export const makePasswordCredential =
  (password: string) =>
  async ({ id, email }: Pick<Operator, 'id' | 'email'>): Promise<NewCredential | string> =>
    (await findPasswordFault(password, email)) ?? {
      kind: 'password',
      id,
      secret: await hashPassword(password),
    }

/** A list of 49,000 leaked passwords, loaded on first use. */
let leaked: Promise<ReadonlySet<string>> | undefined

/** Whether a password is leaked, alone or with digits or signs appended, because attackers try both. */
async function isLeakedPassword(password: string): Promise<boolean> {
  leaked ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set<string>(dictionary['passwords-common']),
  )
  const list = await leaked
  const lastLetter = password.split('').findLastIndex((character) => /[a-z]/.test(character))
  const core = password.slice(0, lastLetter + 1)
  return list.has(password) || (core.length > 3 && list.has(core))
}

/** OWASP recommends 19 MiB and two passes for Argon2id. A hash takes about 60 ms. */
const argon2Cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** The most passwords that wait for their hash in each queue: about three seconds of work. */
const maxWaiting = 50

/** Browsers that have signed in before wait in a queue of their own, which strangers can't fill. */
export type PasswordQueue = 'known browsers' | 'strangers'

const deriveArgon2 = promisify(argon2)

/**
 * Hashes a password that an operator chose in a session or by an invitation. Resolves with a PHC string: algorithm,
 * version, cost, salt and hash.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return formatPhc(salt, await queueKeyDerivation(password, salt, 'known browsers'))
}

const encodeBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

const formatPhc = (salt: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${argon2Cost.memory},t=${argon2Cost.passes},p=${argon2Cost.parallelism}$${encodeBase64(salt)}$${encodeBase64(tag)}`

/** Without an account, the password is compared with this hash, so that the check takes as long as with one. */
const dummyHash = formatPhc(randomBytes(16), randomBytes(argon2Cost.tagLength))

/**
 * Compares a password with a stored hash.
 * @param hash if null or undefined, the check fails, but takes as long as with a hash, so that nobody learns whether
 *   the account exists
 * @throws TooManyAttemptsError if too many callers are waiting in the queue
 */
export async function verifyPassword(
  password: string,
  hash: string | null | undefined,
  queue: PasswordQueue,
): Promise<boolean> {
  // Every stored hash has the same cost, so only salt and hash are read.
  const [salt = '', tag = ''] = (hash ?? dummyHash).split('$').slice(-2)
  const found = await queueKeyDerivation(password, Buffer.from(salt, 'base64'), queue)
  return timingSafeEqual(found, Buffer.from(tag, 'base64')) && typeof hash === 'string'
}

const queues = {
  'known browsers': { waiting: 0, previous: Promise.resolve() as Promise<unknown> },
  strangers: { waiting: 0, previous: Promise.resolve() as Promise<unknown> },
} satisfies Record<PasswordQueue, object>

/** Hashes one password of each queue at a time, so that many sign-ins take at most 40 MB and two threads. */
async function queueKeyDerivation(
  password: string,
  nonce: Buffer,
  name: PasswordQueue,
): Promise<Buffer> {
  const queue = queues[name]
  if (queue.waiting >= maxWaiting) throw new TooManyAttemptsError(5)
  queue.waiting++
  // Keyboards encode the same accented letter in different ways, so the text is normalized.
  const message = password.normalize('NFC')
  const derived = queue.previous
    .then(() => deriveArgon2('argon2id', { message, nonce, ...argon2Cost }))
    .finally(() => queue.waiting--)
  queue.previous = derived.catch(() => undefined)
  return derived
}
