import { createHash, randomBytes } from 'node:crypto'

/** 256 bits: nobody guesses one, so that a plain hash of it may lie in the store. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export const hashOf = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url')
