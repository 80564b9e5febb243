import { makeOriginKey } from '../lead/attribution.ts'
import { dollarsFault, parseDollars } from '../money/dated-value.ts'
import { formatAmount } from '../text/formats.ts'

/** The details of an affiliate, as an operator enters them. */
export interface AffiliateDetails {
  readonly name: string
  /** The affiliate ids in the affiliate's links. Their case makes no difference. */
  readonly ids: readonly string[]
  readonly notes: string
  /** What the company pays for a lead of any program that is accepted now, in US cents; null if unknown. */
  readonly payoutCents: number | null
  /** The template of the postback's URL; null if the affiliate gets no postback. */
  readonly postbackUrl: string | null
}

export interface Affiliate extends AffiliateDetails {
  readonly id: string
  readonly createdAt: number
  /** Since when the affiliate's leads wait in quarantine, unpaid; null if the affiliate isn't stopped. */
  readonly stoppedAt: number | null
  readonly stopReason: string | null
}

/** What happens to the leads of an affiliate that an admin stops or starts. */
export type AffiliateChange = 'stop' | 'start'

/** What is lost if an affiliate is removed, besides its own details. */
export interface AffiliateRemoval {
  readonly caps: readonly string[]
  readonly held: number
  readonly waitingPostbacks: number
}

export const affiliateFields = ['name', 'ids', 'payout', 'postback', 'notes'] as const
export type AffiliateField = (typeof affiliateFields)[number]

/** The texts in the fields of the affiliate form. `ids` has one id per line, and `payout` is in dollars. */
export type AffiliateFormValues = Readonly<Record<AffiliateField, string>>
/** The error message of each invalid field in the affiliate form. */
export type AffiliateErrors = { readonly [Field in AffiliateField]?: string }

const maxNameLength = 100
const maxTextLength = 2000
/** The server cuts longer affiliate ids in URLs. */
const maxIdLength = 200
/** A lead filter accepts no more values per field. */
const maxIds = 20

/** Parses the affiliate form. Don't use the parsed details if there are errors. */
export function parseAffiliateForm(texts: AffiliateFormValues) {
  const [name, payout] = [texts.name.trim(), texts.payout.trim()]
  const [notes, postback] = [texts.notes.trim(), texts.postback.trim()]
  const ids = texts.ids
    .split('\n')
    .map((id) => id.trim())
    .filter(Boolean)
  const errors: { [Field in AffiliateField]?: string } = {}
  if (name === '' || name.length > maxNameLength) {
    errors.name = `Enter a name of up to ${maxNameLength} characters.`
  }
  const repeated = ids.find((id, index) => ids.indexOf(id) < index)
  if (repeated !== undefined) errors.ids = `“${repeated}” is listed twice.`
  // SQLite compares other letters by their exact case, so an id in another case would have no affiliate.
  const unusual = ids.find((id) => !/^[ -~]+$/.test(id))
  if (unusual !== undefined)
    errors.ids = `“${unusual}” has other characters than letters without accents, digits and signs.`
  if (ids.length > maxIds || ids.some(({ length }) => length > maxIdLength)) {
    errors.ids = `List at most ${maxIds} ids of at most ${maxIdLength} characters.`
  }
  const payoutCents = payout === '' ? null : parseDollars(payout)
  if (payoutCents === undefined) errors.payout = dollarsFault
  if (postback.length > maxTextLength) errors.postback = `Use at most ${maxTextLength} characters.`
  if (notes.length > maxTextLength) errors.notes = `Use at most ${maxTextLength} characters.`
  const details: AffiliateDetails = {
    name,
    ids,
    notes,
    postbackUrl: postback || null,
    payoutCents: payoutCents ?? null,
  }
  return { details, errors }
}

/** Returns whether an affiliate has an affiliate id, in upper or lower case. */
export const hasAffiliateId = ({ ids }: Pick<AffiliateDetails, 'ids'>, id: string): boolean =>
  ids.some((own) => makeOriginKey(own) === makeOriginKey(id))

/** Returns an affiliate id, and the name of the affiliate that has the id. */
export const describeAffiliateId = (id: string, name: string | undefined): string =>
  name === undefined || name === id ? id : `${name} (${id})`

export const toAffiliateFormValues = (details: AffiliateDetails): AffiliateFormValues => ({
  name: details.name,
  ids: details.ids.join('\n'),
  notes: details.notes,
  payout: formatAmount(details.payoutCents),
  postback: details.postbackUrl ?? '',
})

/** Returns an error for a name or an id that another affiliate already has. */
export function findAffiliateConflicts(
  { name, ids }: AffiliateDetails,
  others: readonly AffiliateDetails[],
): AffiliateErrors {
  const namesake = others.find((other) => other.name.toLowerCase() === name.toLowerCase())
  const owner = others.find((other) => other.ids.some((id) => hasAffiliateId({ ids }, id)))
  const taken = ids.find((id) => owner && hasAffiliateId(owner, id))
  return {
    ...(namesake && { name: `There is already an affiliate “${namesake.name}”.` }),
    ...(owner && { ids: `“${taken}” already belongs to ${owner.name}.` }),
  }
}
