import type { Block } from './legal-page.ts'

/** The "legal-text rules" on privacy requests (sections 5 and 6): the same words wherever they are needed. */
export const requestRules: Block = {
  list: [
    [
      'You do not need an account to make a request. If you do have one, a request made through a password-protected account counts as verified.',
    ],
    [
      'We verify your identity before we act. We compare details that you give us with those that we hold, for example your email address, phone number, ZIP code or birth date.',
    ],
    ['You may make a verifiable request for access or portability only twice in any 12 months.'],
    [
      'An authorized agent may make a request for you. We then need a written authorization that both you and the agent have signed.',
    ],
  ],
}
