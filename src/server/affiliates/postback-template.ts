import { findUrlFault } from '#server/platform/call/public-network.ts'

/** The macros of a postback's template; docs/notifications.md defines each value. */
const macroNames = ['click_id', 'sub_id', 'lead_id', 'event', 'reason', 'payout', 'time'] as const

export type PostbackValues = Readonly<Record<(typeof macroNames)[number], string>>

const isMacro = (name: string): name is keyof PostbackValues =>
  macroNames.some((known) => known === name)

const macroPattern = /\{([^{}]*)\}/g

/**
 * Checks an affiliate's postback template: a URL with macros.
 * @param allowsLocal whether http and private addresses are allowed, as in demo mode
 * @returns the field's error message; undefined if the template is right
 */
export function findPostbackFault(template: string, allowsLocal: boolean): string | undefined {
  const unknown = [...template.matchAll(macroPattern)].find(([, name = '']) => !isMacro(name))
  const known = macroNames.map((name) => `{${name}}`).join(', ')
  if (unknown !== undefined) return `There is no ${unknown[0]}. Use ${known}.`
  const fill = (value: string) => template.replaceAll(macroPattern, value)
  if (/[{}]/.test(fill(''))) return `Close each brace: a macro looks like {click_id}.`
  const fault = findUrlFault(fill('x'), allowsLocal)
  if (fault !== undefined) return fault
  // Values come from links that anybody can write, so they must not choose the host.
  return URL.parse(fill('x'))?.origin === URL.parse(fill('y'))?.origin
    ? undefined
    : 'Use macros only after the host, as in https://partner.example/postback?click={click_id}.'
}

/**
 * Fills a template's macros with URL-encoded values. A value of dots is left out: in a path, `..` would remove the segment
 * before it, and encoding does not prevent that.
 */
export const fillPostbackTemplate = (template: string, values: PostbackValues): string =>
  template.replaceAll(macroPattern, (macro, name: string) => {
    if (!isMacro(name)) return macro
    const value = values[name].toWellFormed()
    return /^\.+$/.test(value) ? '' : encodeURIComponent(value)
  })
