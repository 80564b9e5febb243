import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { hashOf, newSecret } from '../secrets.ts'

/** What was posted, and waits until its operator has shown that it is they. */
export interface KeptForm {
  /** Where it was posted to. */
  readonly path: string
  /** Where it stood. */
  readonly page: string
  /** In the words of the rights. */
  readonly action: string
  /** As it was posted, URL-encoded. */
  readonly body: string
}

/** With when it was, in epoch milliseconds. */
export interface FoundForm extends KeptForm {
  readonly keptAt: number
}

/** Times are epoch milliseconds. */
export interface FormStore {
  keep(
    idHash: string,
    form: { readonly sealed: string; readonly expiresAt: number; readonly operatorId: string },
  ): Promise<void>
  find(idHash: string, now: number): Promise<string | undefined>
  /** The same, and it is gone: of several at once one alone finds it. */
  take(idHash: string, now: number): Promise<string | undefined>
}

/** Of one operator: the oldest goes where there are more. A form has 64 KB at most. */
export const mostForms = 5

/** In milliseconds. */
const keptFor = 10 * 60 * 1000

const cipher = 'aes-256-gcm'

/**
 * Forms that are asked about again are kept for ten minutes: sealed with the browser's secret, which the store does not have,
 * since what is typed into them may be of a person. Another session cannot open them.
 */
export function makeKeepForms(store: FormStore, clock: () => number) {
  const open = (sealed: string | undefined, secret: string): FoundForm | undefined =>
    sealed === undefined ? undefined : unseal(sealed, secret)
  return {
    /** Resolves with an id that tells nothing. */
    keep: async (form: KeptForm, secret: string, operatorId: string): Promise<string> => {
      const id = newSecret()
      const keptAt = clock()
      const sealed = seal({ ...form, keptAt }, secret)
      await store.keep(hashOf(id), { sealed, expiresAt: keptAt + keptFor, operatorId })
      return id
    },
    find: async (id: string, secret: string) => open(await store.find(hashOf(id), clock()), secret),
    take: async (id: string, secret: string) => open(await store.take(hashOf(id), clock()), secret),
  }
}

export type KeepForms = ReturnType<typeof makeKeepForms>

const keyOf = (secret: string): Buffer =>
  createHash('sha256').update(`kept form ${secret}`).digest()

function seal(form: FoundForm, secret: string): string {
  const nonce = randomBytes(12)
  const sealing = createCipheriv(cipher, keyOf(secret), nonce)
  const parts = [sealing.update(JSON.stringify(form)), sealing.final()]
  return Buffer.concat([nonce, sealing.getAuthTag(), ...parts]).toString('base64url')
}

/** Undefined where another secret sealed it. */
function unseal(sealed: string, secret: string): FoundForm | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  const opening = createDecipheriv(cipher, keyOf(secret), bytes.subarray(0, 12))
  opening.setAuthTag(bytes.subarray(12, 28))
  try {
    return JSON.parse(`${opening.update(bytes.subarray(28))}${opening.final()}`)
  } catch {
    return undefined
  }
}
