/** Replaces a hidden value. All masks have the same length, so they reveal nothing about the length of values. */
export const hidden = '•••'

export const maskText = (text: string): string => (text === '' ? '' : hidden)

export const maskAfterInitial = (text: string): string =>
  text === '' ? '' : `${[...text][0]}${hidden}`

/** Returns a text such as `z•••@e•••.com`, which is enough to tell apart two leads of a list. */
export function maskEmail(email: string): string {
  const [name = '', domain] = email.split('@')
  if (domain === undefined) return maskText(email)
  return `${maskAfterInitial(name)}@${maskAfterInitial(domain)}.${domain.split('.').at(-1)}`
}

/** Shows only the last two digits of a phone number. */
export const maskPhone = (phone: string): string => `${hidden}${phone.slice(-2)}`

/** Shows only the first three digits of a ZIP or ZIP+4, which stand for a region. */
export const maskZip = (zip: string): string => `${zip.slice(0, 3)}••`

export const splitWords = (text: string): readonly string[] =>
  text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '')

export const listNameTerms = (name: string): readonly string[] => [
  name,
  ...splitWords(name).filter((part) => part.length > 2),
]

export function listEmailTerms(email: string): readonly string[] {
  const [mailbox = ''] = email.split('@')
  return [email, mailbox, mailbox.split('+', 1)[0] ?? '']
}

export function listAddressTerms(address: string): readonly string[] {
  const [number = '', ...street] = splitWords(address)
  return [address, `${number}${street[0] ?? ''}`, /\d/.test(number) ? street.join('') : '']
}
