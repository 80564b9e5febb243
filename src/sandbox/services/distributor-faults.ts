import { type Fault, jsonReply } from '../answers/stand-in-answer.ts'
import { inputFaults, wireFaults } from '../answers/wire-faults.ts'

export const success = jsonReply(200, { status: 'success' })

/**
 * Only Cap's and Inactive's words were seen in public; the others are ours in the same shapes. None has a word of the last
 * name that asks for it: that would be masked as the person's.
 */
const distributorReplies: readonly Fault[] = [
  {
    name: 'Duplicate',
    about: 'failure: duplicate, in reason.base',
    answer: jsonReply(200, { status: 'failure', reason: { base: ['This person came before'] } }),
  },
  {
    name: 'Cap',
    about: 'failure: monthly cap, in reason.base',
    answer: jsonReply(200, {
      status: 'failure',
      reason: { base: ['Reached the monthly offer cap for program'] },
    }),
  },
  {
    name: 'Inactive',
    about: 'failure: program is inactivated, reason as a string with reason_code',
    answer: jsonReply(200, {
      status: 'failure',
      reason: 'Program is inactivated',
      reason_code: 'closed',
    }),
  },
  {
    name: 'Invalid',
    about: 'failure: invalid fields, in reason by field, reasons[] and errors[]',
    answer: jsonReply(200, {
      status: 'failure',
      reason: { phone1: ['is too short'] },
      reasons: ['Lead is not as agreed'],
      errors: ['phone1 is not a phone number'],
    }),
  },
  {
    name: 'Queued',
    about: 'HTTP 200 with a status that is not in the contract',
    answer: jsonReply(200, { status: 'later' }),
  },
]

/** What the distributor can be told to answer from now on. */
export const distributorFaults: readonly Fault[] = [...distributorReplies, ...wireFaults]

export interface LastNameFault extends Fault {
  /** The last name that asks for it. */
  readonly lastName: string
  /** How many first attempts of a lead it fails; without it, every one. */
  readonly attempts?: number
}

const serverError = jsonReply(500, { error: 'Internal Server Error' })

export const lastNameFaults: readonly LastNameFault[] = [
  ...distributorReplies,
  ...inputFaults,
  {
    name: 'Fail500-Once',
    about: 'HTTP 500 to the first attempt, then success',
    answer: serverError,
    attempts: 1,
  },
  {
    name: 'FailTwice',
    about: 'HTTP 500 to the first two attempts, then success',
    answer: serverError,
    attempts: 2,
  },
].map((fault) => ({ ...fault, lastName: `Sandbox-${fault.name}` }))

/**
 * The fault that a last name asks for on this attempt, if any.
 * @param attempt how often the lead has come, from 1
 */
export function faultFor(lastName: string, attempt: number): LastNameFault | undefined {
  const fault = lastNameFaults.find(
    (candidate) => candidate.lastName.toLowerCase() === lastName.trim().toLowerCase(),
  )
  return fault && attempt <= (fault.attempts ?? Infinity) ? fault : undefined
}
