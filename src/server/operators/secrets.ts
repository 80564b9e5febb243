import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 bits: nobody guesses one, so that a plain hash of it may lie in the store. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export const hashOf = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url')

/** HMAC-SHA256, base64url. */
export const sign = (key: string, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

/** Compares in constant time. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)))
