import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { idempotencyHeader, xsrfCookie, xsrfHeader } from '#contract/api-constants.ts'
import { exampleLead } from '#tests/product/example-lead.ts'
import { times } from './extent.ts'

export interface Visitors {
  /**
   * The lead's id by Idempotency-Key, for everyone who has read "Information Received". A correction under the same key
   * counts as its own enquiry, `<key> mended`.
   */
  readonly acknowledged: ReadonlyMap<string, string>
  /** Idempotency-Keys that were acknowledged twice, with different leads. */
  readonly contradicted: readonly string[]
  /** The number of replies that asked a visitor to try again. */
  turnedAway(): number
  /** Resolves when every visitor has been thanked or has given up. */
  readonly gone: Promise<unknown>
  /** Starts no new enquiries, and resolves as `gone` does. */
  leave(): Promise<void>
}

export interface VisitorSettings {
  /** The number of simultaneous visitors, each of whom sends one enquiry after the other. */
  readonly atOnce: number
  /** Resolves with the product's address once it serves. */
  readonly site: () => Promise<string>
  /** How many enquiries all visitors send together; if undefined, as many as they can until they leave. */
  readonly enquiries?: number
  /** How often a visitor sends the enquiry with the same key before giving up. */
  readonly patience?: number
  /** One in so many enquiries is sent once, and then with another phone number until it is thanked. */
  readonly mends?: number
  /** How long a visitor rests between two enquiries, in milliseconds; if undefined, not at all. */
  readonly rest?: number
}

/** The pause before an enquiry is sent again, in milliseconds. */
const retryPauseMs = times({ modest: 100, full: 20 })
/** A visitor who was thanked submits again after every this many enquiries. */
const clicksAgainEvery = 10

export function startVisitors(settings: VisitorSettings): Visitors {
  const { atOnce, site, enquiries = Infinity, patience = 20, mends = Infinity, rest } = settings
  const acknowledged = new Map<string, string>()
  const contradicted: string[] = []
  let turnedAway = 0
  let sent = 0
  let isOver = false

  const isThanked = async (key: string, body: object, enquiry = key): Promise<boolean> => {
    const id = await postLead(await site(), key, JSON.stringify(body))
    if (id === undefined) {
      turnedAway++
      return false
    }
    const known = acknowledged.get(enquiry) ?? id
    if (known !== id) contradicted.push(enquiry)
    acknowledged.set(enquiry, known)
    return true
  }
  const visitor = async () => {
    while (!isOver && sent < enquiries) {
      const clicksAgain = ++sent % clicksAgainEvery === 0
      const key = randomUUID()
      let body = exampleLead()
      let enquiry = key
      if (sent % mends === 0) {
        await isThanked(key, body)
        body = exampleLead({ ...body.lead, phone: '(941) 555-0199' })
        enquiry = `${key} mended`
      }
      for (let tries = 1; tries <= patience && !(await isThanked(key, body, enquiry)); tries++) {
        await setTimeout(retryPauseMs)
      }
      if (clicksAgain) await isThanked(key, body, enquiry)
      if (rest !== undefined) await setTimeout(rest)
    }
  }
  const gone = Promise.all(Array.from({ length: atOnce }, visitor))
  // Callers that wait get the rejection. A test that has already failed no longer waits, so it must not be unhandled.
  gone.catch(() => undefined)
  return {
    acknowledged,
    contradicted,
    gone,
    turnedAway: () => turnedAway,
    leave: async () => {
      isOver = true
      await gone
    },
  }
}

const token = randomUUID()

/** Resolves with the stored lead's id; undefined if the product was unavailable, ended or asked to try again. */
async function postLead(url: string, key: string, body: string): Promise<string | undefined> {
  let reply: { readonly status: number; readonly text: string }
  try {
    const response = await fetch(`${url}/api/leads`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: `${xsrfCookie}=${token}`,
        [xsrfHeader]: token,
        [idempotencyHeader]: key,
      },
      body,
    })
    reply = { status: response.status, text: await response.text() }
  } catch {
    return undefined
  }
  if (reply.status === 503) return undefined
  if (reply.status !== 200 && reply.status !== 201) {
    throw new Error(`A good enquiry was answered with ${reply.status}: ${reply.text}`)
  }
  return JSON.parse(reply.text).id
}
