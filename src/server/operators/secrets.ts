import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Makes a secret of 256 random bits. Nobody can guess such a secret, so the store keeps an unsalted hash. */
export const makeSecret = (): string => randomBytes(32).toString('base64url')

export const hashSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url')

/** Signs a text with HMAC-SHA256, in base64url. */
export const signText = (key: string, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

export const areSecretsEqual = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashSecret(one)), Buffer.from(hashSecret(other)))
