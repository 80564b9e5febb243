import type { Signal } from './signal.ts'

const words: Readonly<Record<Signal, string>> = {
  'honeypot-filled': 'a field was filled that people do not see',
  'too-fast': 'the whole form was filled in less than two seconds',
  'no-proof': 'its network was sending many, and it brought no proof of work',
  'disposable-mail': 'the email address is a disposable one',
  'busy-network': 'its network was sending many; it brought its proof of work',
}

const brief: Readonly<Record<Signal, string>> = {
  'honeypot-filled': 'trap field filled',
  'too-fast': 'filled in under 2 s',
  'no-proof': 'no proof of work',
  'disposable-mail': 'disposable email',
  'busy-network': 'busy network',
}

/** For an operator who has to decide whether a person sent it. One that a later release has found has its name alone. */
export const signalInWords = (signal: Signal): string => words[signal] ?? signal

/** The same for a line of a list, where a word or three have to do. */
export const signalInBrief = (signal: Signal): string => brief[signal] ?? signal
