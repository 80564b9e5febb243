import { createHmac } from 'node:crypto'
import type { Challenges } from './passkeys.ts'

/** A person looks for their phone; in milliseconds. A challenge holds for one to two of them. */
const span = 5 * 60 * 1000

/**
 * A challenge is made of the store's secret, the browser's and the time, so that any process knows it again. Signing in
 * gives the browser another secret: an answer that was heard is worth nothing afterwards.
 */
export const makeChallenges = (
  readSecret: () => Promise<string>,
  clock: () => number,
): Challenges => {
  const at = async (secret: string, spanNumber: number): Promise<string> =>
    createHmac('sha256', await readSecret())
      .update(`${spanNumber} ${secret}`)
      .digest('base64url')
  const now = () => Math.floor(clock() / span)
  return {
    make: (secret) => at(secret, now()),
    isOf: async (secret, challenge) => {
      const good = await Promise.all([at(secret, now()), at(secret, now() - 1)])
      return good.includes(challenge)
    },
  }
}
