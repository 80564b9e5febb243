import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** OWASP's first choice for Argon2id: 19 MiB, two passes (docs/decisions/0173). About 60 ms here. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** So many at once: others wait, and a flood of sign-ins takes 40 MB and two threads, not all there are. */
const mostAtOnce = 2

const derive = promisify(argon2)

/** A PHC string: how it was made stands beside it, so that the cost can rise later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await deriveInTurn(password, salt, cost)
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`
}

const format = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** @param hash undefined takes as long, and is never right: nobody learns whether there is such an account */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = format.exec(hash ?? '') ?? []
  const isKnown = memory !== undefined
  const wanted = isKnown ? Buffer.from(tag, 'base64') : Buffer.alloc(cost.tagLength)
  const found = await deriveInTurn(
    password,
    isKnown ? Buffer.from(salt, 'base64') : randomBytes(16),
    isKnown
      ? {
          memory: Number(memory),
          passes: Number(passes),
          parallelism: Number(parallelism),
          tagLength: wanted.length,
        }
      : cost,
  )
  return timingSafeEqual(found, wanted) && isKnown
}

let free = mostAtOnce
const waiting: (() => void)[] = []

async function deriveInTurn(
  password: string,
  nonce: Buffer,
  how: Omit<Argon2Parameters, 'message' | 'nonce'>,
): Promise<Buffer> {
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

const encode = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')
