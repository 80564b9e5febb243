import { findUrlFault } from '#server/platform/call/public-network.ts'

/** The macros that a postback template may contain; docs/notifications.md explains each macro. */
const macroNames = ['click_id', 'sub_id', 'lead_id', 'event', 'reason', 'payout', 'time'] as const

type PostbackValues = Readonly<Record<(typeof macroNames)[number], string>>

const isMacro = (name: string): name is keyof PostbackValues =>
  macroNames.some((known) => known === name)

const macroPattern = /\{([^{}]*)\}/g

/** Some browsers and forms encode the braces of a macro. */
const decodeBraces = (text: string): string => text.replaceAll(/%7B(\w+)%7D/gi, '{$1}')

/**
 * Checks an affiliate's postback template, which is a URL with macros.
 * @param allowsLocal whether the URL may use http and a host in a private network, as in demo mode
 * @returns the field's error message; undefined if the template is valid
 */
export function findPostbackFault(template: string, allowsLocal: boolean): string | undefined {
  const text = decodeBraces(template)
  const unknown = [...text.matchAll(macroPattern)].find(([, name = '']) => !isMacro(name))
  const known = macroNames.map((name) => `{${name}}`).join(', ')
  if (unknown !== undefined) return `There is no ${unknown[0]}. Use ${known}.`
  const fill = (value: string) => text.replaceAll(macroPattern, value)
  if (/[{}]/.test(fill(''))) return `Close each brace: a macro looks like {click_id}.`
  const foreign = /(?:[$#%]|%24|%23|%7B)\{\w*\}/i.exec(text)?.[0]
  if (foreign !== undefined)
    return `The server doesn’t replace “${foreign}”. Write a macro in braces only, like {click_id}.`
  if (/%(?![0-9a-f]{2})/i.test(text)) return 'Write % as %25. A macro looks like {click_id}.'
  if (text.includes('#')) return 'Leave out # and what follows: no server receives that part.'
  const fault = findUrlFault(fill('x'), allowsLocal)
  if (fault !== undefined) return fault
  // Macros must not change the URL's origin, because anybody can write a macro's value into a link.
  if (fill('x') === fill('y'))
    return `The URL has no macro, so every call looks the same to the affiliate. Add one of ${known}.`
  return URL.parse(fill('x'))?.origin === URL.parse(fill('y'))?.origin
    ? undefined
    : 'Use macros only after the host, as in https://partner.example/postback?click={click_id}.'
}

/** Returns a valid template as the store keeps it: as URL parsers read it, without line breaks, with macros in braces. */
export const normalizeTemplate = (template: string): string =>
  decodeBraces(new URL(decodeBraces(template)).href)

/**
 * Replaces a template's macros with URL-encoded values. Leaves out a value that consists of dots, because `..` removes
 * a segment of the URL's path even if it is encoded.
 */
export const fillPostbackTemplate = (template: string, values: PostbackValues): string =>
  decodeBraces(template).replaceAll(macroPattern, (macro, name: string) => {
    if (!isMacro(name)) return macro
    const value = values[name].toWellFormed()
    return /^\.+$/.test(value) ? '' : encodeURIComponent(value)
  })
