import { expect, test } from 'vitest'
import { maskQuoted } from '#domain/lead/mask/mask-quoted.ts'
import { answeredWith } from '#sandbox/answers/answered-with.ts'
import { lastNameFaults, success } from '#sandbox/services/distributor-faults.ts'
import { outcomeOf } from './reply/outcome-of.ts'

/** As the sandbox's visitors are called who ask for an answer, at the address that the demo proposes. */
const person = {
  email: 'ada@example.com',
  phone: '2125550100',
  firstName: 'Ada',
  street: '123 Main St',
  city: 'Sarasota',
  zip: '34236',
  consent: { ip: '127.0.0.1' },
}

test.each(lastNameFaults)(
  'what it says to $lastName names nobody of that name: the console shows it without a mask',
  ({ lastName, answer }) => {
    const { status, body } = answeredWith(answer, success.body)
    if (status === null) return
    const reply = { kind: 'answered', status, headers: {}, body: body ?? '' } as const
    const { said = '' } = outcomeOf(reply, 0)
    expect(maskQuoted(said, { ...person, lastName })).toBe(said)
  },
)
