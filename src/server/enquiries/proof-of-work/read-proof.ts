import type { Payload } from 'altcha-lib'
import * as v from 'valibot'

const hex = v.pipe(v.string(), v.regex(/^(?:[\da-f]{2})+$/))

/**
 * All that our own challenges have: the signature tells whether it is ours. What else stands there is not looked at, or
 * somebody would nest it deeper than a function can call itself.
 */
const proof = v.object({
  challenge: v.object({
    parameters: v.object({
      algorithm: v.string(),
      nonce: hex,
      salt: hex,
      cost: v.number(),
      keyLength: v.number(),
      keyPrefix: v.string(),
      keySignature: hex,
      expiresAt: v.number(),
      data: v.object({ key: v.string() }),
    }),
    signature: v.string(),
  }),
  solution: v.object({ counter: v.number(), derivedKey: hex }),
})

/** Reads ALTCHA's payload, base64 of JSON; undefined where it is none. */
export function readProof(altcha: string): Payload | undefined {
  try {
    const json: unknown = JSON.parse(Buffer.from(altcha, 'base64').toString('utf8'))
    const result = v.safeParse(proof, json)
    return result.success ? result.output : undefined
  } catch {
    return undefined
  }
}
