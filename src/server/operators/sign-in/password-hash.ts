import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { SlowDownError } from '../slow-down-error.ts'

/** OWASP's first choice for Argon2id: 19 MiB, two passes. About 60 ms here. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** So many at once: others wait, and a flood of sign-ins takes 40 MB and two threads, not all there are. */
const mostAtOnce = 2

/** About three seconds' work; whoever comes then is asked to try again. */
const mostWaiting = 100

const derive = promisify(argon2)

/** A PHC string: how it was made stands beside it, so that the cost can rise later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await deriveInTurn(password, salt, cost)
  return phcOf(salt, tag)
}

const encode = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

const phcOf = (salt: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(salt)}$${encode(tag)}`

const format = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** Nobody's: what is given where there is no account goes the same way. */
const nobodys = phcOf(randomBytes(16), randomBytes(cost.tagLength))

/**
 * @param hash undefined takes as long, and is never right: nobody learns whether there is such an account
 * @throws SlowDownError where too many wait already
 */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = format.exec(hash ?? nobodys) ?? []
  const wanted = Buffer.from(tag, 'base64')
  const found = await deriveInTurn(password, Buffer.from(salt, 'base64'), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: wanted.length,
  })
  return timingSafeEqual(found, wanted) && hash !== undefined
}

let free = mostAtOnce
const waiting: (() => void)[] = []

async function deriveInTurn(
  password: string,
  nonce: Buffer,
  how: Omit<Argon2Parameters, 'message' | 'nonce'>,
): Promise<Buffer> {
  if (waiting.length >= mostWaiting) throw new SlowDownError(5)
  if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
  else free--
  try {
    // As it may be typed on another keyboard.
    return await derive('argon2id', { message: password.normalize('NFC'), nonce, ...how })
  } finally {
    const next = waiting.shift()
    if (next === undefined) free++
    else next()
  }
}
