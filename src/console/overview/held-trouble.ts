import type { BreakerState } from '#domain/delivery/breaker.ts'
import { isProven } from '#domain/delivery/culprit.ts'
import {
  type OutageKind,
  outageInWords,
  outageKindOf,
  whenUnusable,
} from '#domain/delivery/outage-in-words.ts'
import { capitalised } from '#domain/text/capitalised.ts'
import type { Trouble } from './trouble.ts'

const holds = { words: 'To the page Deliveries', href: '/deliveries' }

const waitForThem = {
  todo: 'One try at a time is made, and it ends by itself. Where it lasts, ask the distributor.',
  list: holds,
  section: 'The distributor does not answer',
}

const whatToDo: Readonly<Record<OutageKind, Pick<Trouble, 'todo' | 'list' | 'section'>>> = {
  silence: waitForThem,
  error: waitForThem,
  unusable: {
    todo: `${whenUnusable} Look at what it wrote, correct the address and restart, or ask the distributor. One try at a time is made meanwhile.`,
    list: { words: 'What it wrote, on the page Deliveries', href: '/deliveries' },
    section: 'The distributor answers, but not usably',
  },
}

/** That deliveries are held back: by an operator, or by what the distributor answers. */
export function heldTrouble({ pause, trip }: BreakerState): Trouble | undefined {
  if (pause !== null) {
    return {
      kind: 'note',
      what: 'Deliveries are paused',
      since: { words: 'Since', at: pause.since },
      more: `An operator paused them${pause.reason === '' ? ', and gave no reason' : `: ${pause.reason}`}. Leads are accepted and wait.`,
      todo: 'Resume them once the reason is gone: what is due is sent then.',
      list: holds,
      section: 'Deliveries are paused',
    }
  }
  if (trip === null) return undefined
  const since = { words: 'Since', at: trip.since }
  const said = trip.reason === '' ? '' : ` It said: ${trip.reason}.`
  if (trip.cause === 'outage') {
    return {
      kind: 'problem',
      what: capitalised(outageInWords(trip.reason)),
      since,
      more: `Leads are accepted and wait; none of them spends a try.${said}`,
      ...whatToDo[outageKindOf(trip.reason)],
    }
  }
  return {
    kind: 'problem',
    what: isProven(trip) ? 'The distributor refuses us' : 'The distributor has taken no lead',
    since,
    more: isProven(trip)
      ? `It took none of the leads tried, and all deliveries wait.${said}`
      : `It refuses us, or these leads alone: others are tried, one at a time, to tell.${said}`,
    todo: 'Compare DISTRIBUTOR_URL and the campaign’s values with what the distributor gave you, correct them and restart. Was it their side, resume.',
    list: holds,
    section: 'The distributor refuses us',
  }
}
