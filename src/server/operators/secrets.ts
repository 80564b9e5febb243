import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Makes a secret of 256 random bits. Nobody can guess it, so an unsalted hash protects it in the store. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export const hashOf = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url')

/** Signs a text with HMAC-SHA256, in base64url. */
export const sign = (key: string, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)))
