import { decodings, tokensIn } from './encoded.ts'
import { isTelling, withoutNumbers } from './is-telling.ts'
import { hidden } from './mask-lead.ts'
import { type NamingPart, namingParts, type Quoted } from './naming-parts.ts'
import { quotedSpans } from './quoted-spans.ts'
import { type Reading, readingsOf } from './readings.ts'
import { type Span, withoutSpans } from './spans.ts'

/** What is encoded in what was encoded is looked into; what was so more often is no more read by anybody. */
const mostTimes = 2

/**
 * What the distributor wrote, without what it quotes of the lead: whichever way that is written or escaped, with accents or
 * without. What stands side by side goes as one. What else looks like an address or a phone number goes, too.
 */
export const maskQuoted = (text: string, lead: Quoted): string =>
  withoutParts(text, { parts: namingParts(lead), times: mostTimes })

interface Mask {
  readonly parts: readonly NamingPart[]
  /** How often it is looked into what is encoded. */
  readonly times: number
}

function withoutParts(text: string, mask: Mask): string {
  const hides = hidesToken(mask)
  const spans = readingsOf(text).flatMap((reading) => [
    ...(mask.times === 0 ? [] : encodedSpans(reading, hides)),
    ...quotedSpans(text, reading, mask.parts),
  ])
  return withoutNumbers(withoutSpans(text, spans).split(' '))
    .map((word) => (isTelling(word) ? hidden : word))
    .join(' ')
}

type HidesToken = (token: string, isCut: boolean) => boolean

/** Each token is looked into once, in however many readings it stands. */
function hidesToken({ parts, times }: Mask): HidesToken {
  const known = new Map<string, boolean>()
  return (token, isCut) => {
    const key = isCut ? `${token}…` : token
    const hides =
      known.get(key) ??
      decodings(token)
        .map((plain) => (isCut ? `${plain}…` : plain))
        .some((plain) => withoutParts(plain, { parts, times: times - 1 }) !== plain)
    known.set(key, hides)
    return hides
  }
}

const encodedSpans = ({ plain, starts, ends }: Reading, hides: HidesToken): readonly Span[] =>
  tokensIn(plain)
    .filter(({ written, to }) => hides(written, plain.slice(to) === '…'))
    .map(({ from, to }) => ({ start: starts[from] ?? 0, end: ends[to - 1] ?? 0 }))
