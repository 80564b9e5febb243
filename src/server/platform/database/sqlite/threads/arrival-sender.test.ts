import { expect, test } from 'vitest'
import type { LeadArrival } from '#server/enquiries/accept-enquiry.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { ArrivalSender } from './arrival-sender.ts'
import type { ArrivalReply } from './thread-calls.ts'

const stored = ({ lead }: LeadArrival): ArrivalReply => ({
  accepted: { id: lead.id, repeated: false, duplicateOf: null, corrects: null },
})

/** Notes how many came in each message, and refuses whom `replyTo` refuses. */
function sender(replyTo = stored) {
  const messages: number[] = []
  return {
    messages,
    arrivals: new ArrivalSender(async (json) => {
      const arrivals: LeadArrival[] = JSON.parse(json)
      messages.push(arrivals.length)
      return arrivals.map(replyTo)
    }),
  }
}

test('what arrives in one turn goes in few messages, and each hears of its own', async () => {
  const { messages, arrivals } = sender()
  const sent = Array.from({ length: 20 }, () => exampleArrival())
  const accepted = await Promise.all(sent.map((arrival) => arrivals.send(arrival)))
  expect(accepted.map(({ id }) => id)).toEqual(sent.map(({ lead }) => lead.id))
  expect(messages).toEqual([16, 4])
})

test('one that cannot be stored is refused alone, with its code', async () => {
  const bad = exampleArrival()
  const { arrivals } = sender((arrival) =>
    arrival.lead.id === bad.lead.id
      ? { fault: { message: 'no such row', stack: undefined, codes: { errcode: 19 } } }
      : stored(arrival),
  )
  const good = arrivals.send(exampleArrival())
  await expect(arrivals.send(bad)).rejects.toMatchObject({ message: 'no such row', errcode: 19 })
  expect(await good).toMatchObject({ repeated: false })
})

test('where the thread has ended, all are refused', async () => {
  const arrivals = new ArrivalSender(() => Promise.reject(new Error('The thread has ended.')))
  const sent = [arrivals.send(exampleArrival()), arrivals.send(exampleArrival())]
  for (const one of await Promise.allSettled(sent)) expect(one.status).toBe('rejected')
})
