import { createHmac, timingSafeEqual } from 'node:crypto'
import { newSecret } from '../secrets.ts'
import type { TripSecrets } from './identity-provider.ts'

/** What somebody goes to the provider for: to sign in, or to show that it is still they who sit there. */
export type TripPurpose = 'sign-in' | 'confirm'

export interface Trip extends TripSecrets {
  readonly purpose: TripPurpose
  /** Epoch milliseconds. */
  readonly beganAt: number
}

/** What a page to come back to is chosen by; nothing that opens a door. */
export const purposeOf = (ticket: string): TripPurpose =>
  ticket.startsWith('confirm.') ? 'confirm' : 'sign-in'

/** A person looks for their phone; in milliseconds. */
export const tripHolds = 10 * 60 * 1000

const isPurpose = (text: string): text is TripPurpose => text === 'sign-in' || text === 'confirm'

/**
 * The browser keeps a ticket of its way to the provider. All that has to hold on the way back is made of the ticket, of the
 * browser's own secret and of one of the store's, so that any process knows it again, nothing is stored for it, and no
 * browser can make a ticket up. Signing in gives the browser another secret: a ticket is then worth nothing.
 */
export function makeSignOnTrips(readSecret: () => Promise<string>, clock: () => number) {
  const secretsOf = async (ticket: string, browserSecret: string): Promise<TripSecrets> => {
    const key = await readSecret()
    const make = (what: string) =>
      createHmac('sha256', key).update(`${what} ${ticket} ${browserSecret}`).digest('base64url')
    return { state: make('state'), nonce: make('nonce'), verifier: make('verifier') }
  }
  return {
    begin: async (purpose: TripPurpose, browserSecret: string) => {
      const ticket = `${purpose}.${clock()}.${newSecret()}`
      return { ticket, secrets: await secretsOf(ticket, browserSecret) }
    },
    /** Undefined where the browser was never sent there with this state, or too long ago. */
    end: async (
      ticket: string,
      browserSecret: string,
      state: string,
    ): Promise<Trip | undefined> => {
      const [purpose = '', began = ''] = ticket.split('.')
      const beganAt = Number(began)
      if (!isPurpose(purpose) || !(clock() - beganAt < tripHolds)) return undefined
      const secrets = await secretsOf(ticket, browserSecret)
      return isSame(secrets.state, state) ? { purpose, beganAt, ...secrets } : undefined
    },
  }
}

export type SignOnTrips = ReturnType<typeof makeSignOnTrips>

function isSame(wanted: string, given: string): boolean {
  const [one, other] = [Buffer.from(wanted), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
