import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { idempotencyHeader, xsrfCookie, xsrfHeader } from '#contract/own-api.ts'
import { exampleLead } from '#tests/product/example-lead.ts'
import { times } from './extent.ts'

export interface Visitors {
  /**
   * The lead's id by Idempotency-Key, for everyone who has read "Information Received"; what was mended under a key is
   * an enquiry of its own, `<key> mended`.
   */
  readonly acknowledged: ReadonlyMap<string, string>
  /** Idempotency-Keys that were acknowledged twice, and as different leads. */
  readonly contradicted: readonly string[]
  /** Replies that told a visitor to try again. */
  turnedAway(): number
  /** Resolves when everybody has been thanked or has given up. */
  readonly gone: Promise<unknown>
  /** Nobody new comes. Resolves as `gone` does. */
  leave(): Promise<void>
}

export interface VisitorSettings {
  /** Visitors at once, each of whom sends one enquiry after the other. */
  readonly atOnce: number
  /** Where the product is now: resolves once it is there. */
  readonly site: () => Promise<string>
  /** How many all of them send together; without it, as many as they can until they leave. */
  readonly enquiries?: number
  /** How often a visitor who is not thanked sends the enquiry, with the same key, before giving up. */
  readonly patience?: number
  /** One enquiry in so many is sent once, and then, whatever came of that, with another phone until it is thanked. */
  readonly mends?: number
  /** How long each rests between two enquiries, in milliseconds; without it, not at all. */
  readonly rest?: number
}

/** Before an enquiry is sent again, in milliseconds: while nobody is thanked, all that visitors do. */
const pauseMs = times({ modest: 100, full: 20 })
/** Every so many enquiries a visitor who was thanked clicks again. */
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
        await setTimeout(pauseMs)
      }
      if (clicksAgain) await isThanked(key, body, enquiry)
      if (rest !== undefined) await setTimeout(rest)
    }
  }
  const gone = Promise.all(Array.from({ length: atOnce }, visitor))
  // Who waits for it hears of what went wrong; a test that has failed already waits no more.
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

/** The stored lead's id; undefined where the product was away, went away or said "try again". */
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
