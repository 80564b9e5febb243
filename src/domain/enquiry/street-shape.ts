/** Addresses without a digit, and house numbers in words up to ninety-nine: "One Penn Plaza", "Twenty-One Main St". */
const addressesWithoutDigits = [
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?) \p{L}{2}/iu,
  /^general delivery$/i,
  /^p\.? ?o\.? ?box #?[a-z]{1,2}$/i,
  // Navy and Coast Guard ships.
  /^(uss|usns|uscgc?) \p{L}{2}/iu,
]

/** "5th Avenue" has no house number. */
const ordinal = /\b\d+(?:st|nd|rd|th)\b/gi

/** Returns whether the line could be a street address: a number and at least two letters, or a usual form without digits. */
export function hasStreetShape(street: string): boolean {
  const line = street.trim().replace(/\s+/g, ' ')
  const hasNumber = /\d/.test(line.replace(ordinal, ''))
  const hasName = /\p{L}.*\p{L}/u.test(line)
  return (hasNumber && hasName) || addressesWithoutDigits.some((form) => form.test(line))
}
