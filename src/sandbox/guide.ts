import { inputFaults, lastNameFaults } from './faults.ts'

/** An input and its effect. */
export type GuideRow = readonly [input: string, effect: string]

export const routes: readonly GuideRow[] = [
  ['POST /incoming/leads', 'the lead distributor, JSON or form'],
  ['POST /v1:validateAddress', 'Google Address Validation'],
  ['GET /maps/api/geocode/json?address=34236', 'Google Geocoding'],
  ['GET /json/{ip}', 'IP geolocation of that address'],
  ['GET /json/', "IP geolocation of the caller's address"],
  ['GET /pixel/{name}.gif', 'a tracking pixel'],
  ['GET /ledger', 'every lead received, in order, as received'],
  ['DELETE /ledger', 'forgets them'],
]

export const lastNames: readonly GuideRow[] = lastNameFaults.map(
  ({ lastName, about }) => [lastName, about] as const,
)

/** A ZIP affects both Google services, a word in the street only Address Validation. */
export const lookupInputs: readonly GuideRow[] = inputFaults.map(
  ({ number, name, about }) =>
    [`999${number}, Sandbox-${name}, 198.51.100.${number}`, about] as const,
)

export const otherInputs: readonly GuideRow[] = [
  ['ZIP 00000', 'no such ZIP'],
  ['ZIP 99999', 'over the quota'],
  ['ZIP 99998', 'the key is refused'],
  ['ZIP 99997', 'both Google services answer HTTP 503'],
  ['a street with the word FIX', 'the address is not found'],
  ['a street with the word CONFIRM', 'found, with parts unconfirmed'],
  ['a street with the word REPLACE', 'found, with a part corrected: the form offers it'],
  ['a street with the word NOUNIT', 'found, without its unit: the form asks for it'],
  ['a street with the word UNKNOWN', 'not made out: the form asks whether it is right'],
  ['123 Main St, ZIP 34236', 'found, with ZIP+4 34236-5610'],
  ['API key Sandbox-Invalid-Key', 'both Google services refuse the key'],
  ['an address in 192.0.2.0/24', 'the IP service says "Not found"'],
]
