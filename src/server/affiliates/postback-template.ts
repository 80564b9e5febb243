import { findUrlFault } from '#server/platform/call/public-network.ts'

/** The macros that a postback template may contain; docs/notifications.md explains each macro. */
const macroNames = ['click_id', 'sub_id', 'lead_id', 'event', 'reason', 'payout', 'time'] as const

type PostbackValues = Readonly<Record<(typeof macroNames)[number], string>>

const isMacro = (name: string): name is keyof PostbackValues =>
  macroNames.some((known) => known === name)

const macroPattern = /\{([^{}]*)\}/g

/**
 * Checks an affiliate's postback template, which is a URL with macros.
 * @param allowsLocal whether the URL may use http and a host in a private network, as in demo mode
 * @returns the field's error message; undefined if the template is valid
 */
export function findPostbackFault(template: string, allowsLocal: boolean): string | undefined {
  const unknown = [...template.matchAll(macroPattern)].find(([, name = '']) => !isMacro(name))
  const known = macroNames.map((name) => `{${name}}`).join(', ')
  if (unknown !== undefined) return `There is no ${unknown[0]}. Use ${known}.`
  const fill = (value: string) => template.replaceAll(macroPattern, value)
  if (/[{}]/.test(fill(''))) return `Close each brace: a macro looks like {click_id}.`
  const fault = findUrlFault(fill('x'), allowsLocal)
  if (fault !== undefined) return fault
  // Macros must not change the URL's origin, because anybody can write a macro's value into a link.
  return URL.parse(fill('x'))?.origin === URL.parse(fill('y'))?.origin
    ? undefined
    : 'Use macros only after the host, as in https://partner.example/postback?click={click_id}.'
}

/**
 * Replaces a template's macros with URL-encoded values. Leaves out a value that consists of dots, because `..` removes
 * a segment of the URL's path even if it is encoded.
 */
export const fillPostbackTemplate = (template: string, values: PostbackValues): string =>
  template.replaceAll(macroPattern, (macro, name: string) => {
    if (!isMacro(name)) return macro
    const value = values[name].toWellFormed()
    return /^\.+$/.test(value) ? '' : encodeURIComponent(value)
  })
