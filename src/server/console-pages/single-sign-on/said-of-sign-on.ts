import type { SingleSignOnSettings } from '#server/config/settings.ts'
import type { SignOnOutcome } from '#server/operators/single-sign-on/single-sign-on.ts'

/** Why somebody did not come in, and who can change it. */
export interface SaidOfSignOn {
  readonly heading: string
  readonly text: string
  /** The provider knows them: another account there may be the right one. */
  readonly isPersons: boolean
  readonly status: 403 | 503
}

type NotSignedIn = Exclude<SignOnOutcome, { kind: 'in' | 'confirmed' }>

/** In words. Whatever they name is the operator's own setting, or a word of the protocol. */
export function saidOfSignOn(outcome: NotSignedIn, settings: SingleSignOnSettings): SaidOfSignOn {
  const { name } = settings
  switch (outcome.kind) {
    case 'no role':
      return ofPerson('You have no role on this console', noRole(settings))
    case 'disabled':
      return ofPerson(
        'This account is disabled',
        `You are known here, and may not sign in. An admin of the console can change that on the page Operators; ${name} cannot.`,
      )
    case 'no email':
      return ofPerson(
        'Your email address is not confirmed',
        `Who comes here for the first time needs an email address that ${name} vouches for (its claim “${settings.verifiedClaim}”). Confirm yours there, or ask who looks after it.`,
      )
    case 'taken':
      return ofPerson(
        'Your email address belongs to somebody else here',
        `An operator with it signs in by another account of ${name}. If that was you, whoever keeps the server can end it on the command line: “operators unlink <email>”`,
      )
    case 'not confirmed':
      return ofPerson(
        'That did not show that it is you',
        `Sign in with the account of ${name} that you have here. Where ${name} does not say when you did, only passkey or password help: add one under your own address.`,
      )
    case 'stale':
      return ofWay(
        'That sign-in has ended',
        'It was begun elsewhere or more than ten minutes ago, or it was used already. Please start again.',
      )
    case 'refused':
      return ofWay(`${capital(name)} did not sign you in`, refused(outcome.why))
    case 'away':
      return { ...ofWay(...awayInWords(name)), status: 503 }
  }
}

export const awayInWords = (name: string): [heading: string, text: string] => [
  `${capital(name)} cannot be reached at the moment`,
  'It is tried again each time that you ask. Passkeys and passwords work meanwhile.',
]

const ofPerson = (heading: string, text: string): SaidOfSignOn => ({
  heading,
  text,
  isPersons: true,
  status: 403,
})

const ofWay = (heading: string, text: string): SaidOfSignOn => ({
  heading,
  text,
  isPersons: false,
  status: 403,
})

function noRole({ name, roles: { claim, meaning } }: SingleSignOnSettings): string {
  const words = Object.values(meaning).flat().join(', ')
  return `${capital(name)} knows you, but gives you none. Whoever looks after it can: its claim “${claim}” has to have one of these: ${words}. Then sign in once more.`
}

function refused(why: string): string {
  if (why === 'access_denied') return 'It says that access was denied, or you left it. Try again.'
  return `Try again. If it stays so, tell whoever keeps the server: the log has the same word, ${why}.`
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
