/** Nothing came back; it said itself that it cannot (408, 429, 5xx); it answered something that is not its contract. */
export type OutageKind = 'silence' | 'error' | 'unusable'

/** @param reason what was said last, as `briefly` writes it: `HTTP 200`, `timeout` */
export function outageKindOf(reason: string): OutageKind {
  const status = /^HTTP (\d{3})$/.exec(reason)?.[1]
  if (status === undefined) return 'silence'
  return /^(408|429|5..)$/.test(status) ? 'error' : 'unusable'
}

const inWords: Readonly<Record<OutageKind, { readonly now: string; readonly before: string }>> = {
  silence: { now: 'the distributor does not answer', before: 'the distributor did not answer' },
  error: {
    now: 'the distributor answers with an error',
    before: 'the distributor answered with an error',
  },
  unusable: {
    now: 'the distributor answers, but not usably',
    before: 'the distributor answered, but not usably',
  },
}

export const outageInWords = (reason: string): string => inWords[outageKindOf(reason)].now

export const pastOutageInWords = (reason: string): string => inWords[outageKindOf(reason)].before

/** What may be wrong where an answer comes that cannot be used. */
export const whenUnusable =
  'Is DISTRIBUTOR_URL right? Else something answers in its place: a maintenance page, a proxy, a network’s sign-in page.'
