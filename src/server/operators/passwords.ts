import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { NewCredential } from './credentials.ts'
import type { Operator } from './operator.ts'
import { TooManyAttemptsError } from './sign-in-attempts.ts'

/** The shortest and longest password, in characters. Hashing a longer text would only take time. */
const minLength = 12
const maxLength = 200

/** Explains to its owner why a new password is refused; undefined if it is accepted. */
async function passwordFault(password: string, email: string): Promise<string | undefined> {
  if (password.length < minLength)
    return `Choose ${minLength} characters or more. A few unrelated words are easiest to remember.`
  if (password.length > maxLength) return `Choose ${maxLength} characters or fewer.`
  const [name = ''] = email.split('@')
  const lower = password.toLowerCase()
  if (name.length > 3 && lower.includes(name))
    return 'Choose a password that doesn’t contain your email address.'
  if (await isLeaked(lower))
    return 'This password, or one much like it, is in lists of leaked passwords that attackers try first. Choose another one.'
  return undefined
}

/** Makes the credential for a new password, or the reason why it is refused, in words. */
export const newPassword =
  (password: string) =>
  async ({ id, email }: Pick<Operator, 'id' | 'email'>): Promise<NewCredential | string> =>
    (await passwordFault(password, email)) ?? {
      kind: 'password',
      id,
      secret: await hashPassword(password),
    }

/** A list of 49,000 leaked passwords, loaded when somebody first chooses a password. */
let leaked: Promise<ReadonlySet<string>> | undefined

const loadLeaked = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set<string>(dictionary['passwords-common'])
}

/**
 * Whether a password is leaked. A leaked password with digits or signs appended and a repeated short text count too,
 * because attackers try both.
 */
async function isLeaked(password: string): Promise<boolean> {
  leaked ??= loadLeaked()
  const list = await leaked
  const core = password.slice(
    0,
    password.split('').findLastIndex((character) => /[a-z]/i.test(character)) + 1,
  )
  const isRepeated = /^(.{1,6})\1+$/.test(password)
  return isRepeated || list.has(password) || (core.length > 3 && list.has(core))
}

/** OWASP's first choice for Argon2id: 19 MiB, two passes. A hash takes about 60 ms. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** At most this many hashes run at once, so that many sign-ins take at most 40 MB and two threads. */
const maxConcurrent = 2

/** The hashes that may wait, about three seconds of work. Further callers have to try again later. */
const maxWaiting = 100

const derive = promisify(argon2)

/** Resolves with a PHC string, which contains its own cost, so that later releases can raise the cost. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await deriveInTurn(password, salt, cost)
  return formatPhc(salt, tag)
}

const encode = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

const formatPhc = (salt: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(salt)}$${encode(tag)}`

const format = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** Passwords without an account are compared with this hash, so that they take as long. */
const dummyHash = formatPhc(randomBytes(16), randomBytes(cost.tagLength))

/**
 * Compares a password with its hash.
 * @param hash null or undefined takes as long and never matches, so that nobody learns whether the account exists
 * @throws TooManyAttemptsError if too many callers are waiting
 */
export async function isPassword(
  password: string,
  hash: string | null | undefined,
): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = format.exec(hash ?? dummyHash) ?? []
  const wanted = Buffer.from(tag, 'base64')
  const found = await deriveInTurn(password, Buffer.from(salt, 'base64'), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: wanted.length,
  })
  return timingSafeEqual(found, wanted) && typeof hash === 'string'
}

let free = maxConcurrent
const waiting: (() => void)[] = []

async function deriveInTurn(
  password: string,
  nonce: Buffer,
  how: Omit<Argon2Parameters, 'message' | 'nonce'>,
): Promise<Buffer> {
  if (waiting.length >= maxWaiting) throw new TooManyAttemptsError(5)
  if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
  else free--
  try {
    // Keyboards encode the same accented letter in different ways, so the text is normalized.
    return await derive('argon2id', { message: password.normalize('NFC'), nonce, ...how })
  } finally {
    const next = waiting.shift()
    if (next === undefined) free++
    else next()
  }
}
