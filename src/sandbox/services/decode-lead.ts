import { parseJson } from '#server/platform/call/parse-json.ts'

/** A received lead as an object, from either encoding; null where it is neither. Form values stay strings. */
export function decodeLead(raw: string, contentType: string): Record<string, unknown> | null {
  if (contentType.includes('application/x-www-form-urlencoded')) return fromForm(raw)
  const value = parseJson(raw)
  return isGroup(value) ? value : null
}

function fromForm(raw: string): Record<string, unknown> {
  const lead: Record<string, unknown> = {}
  for (const [key, value] of new URLSearchParams(raw)) {
    const [, group, name] = /^([^[]+)\[([^\]]+)\]$/.exec(key) ?? []
    if (group === undefined || name === undefined) lead[key] = value
    else lead[group] = { ...(isGroup(lead[group]) ? lead[group] : {}), [name]: value }
  }
  return lead
}

/** `lead.lastname`, or empty. */
export function lastNameOf(lead: Record<string, unknown> | null): string {
  const group = lead?.lead
  const lastName = isGroup(group) ? group.lastname : undefined
  return typeof lastName === 'string' ? lastName : ''
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
