import { resolve } from 'node:path'
import type { SiteNames, SiteTexts } from '#content/site-texts.ts'
import { fillPlaceholders } from '#server/content/placeholders.ts'
import { readContent } from '#server/content/read-content.ts'

/** Names for tests: no real school, and addresses that RFC 2606 reserves. */
export const sampleNames: SiteNames = {
  school: 'Northgate Online University',
  operator: 'Lantern Enrollment',
  privacyEmail: 'privacy@lantern.example',
  unsubscribeUrl: 'https://unsubscribe.example/form',
}

const sampleCookies = {
  tokens: ['__Host-XSRF-TOKEN', 'XSRF-TOKEN'],
  affiliate: '__Host-affiliate-id',
  received: '__Host-received',
}

/** The shipped content folder. */
export const contentFolder = resolve(import.meta.dirname, '../../content')

let shipped: SiteTexts | undefined

/** The shipped texts as they are read, with placeholders for names. */
export function shippedTexts(): SiteTexts {
  shipped ??= readShipped()
  return shipped
}

function readShipped(): SiteTexts {
  const read = readContent(contentFolder, 'demo')
  if (!read.ok) throw new Error(read.faults.join('\n'))
  return read.texts
}

/** The shipped texts with names filled in. */
export const sampleTexts = (names: Partial<SiteNames> = {}): SiteTexts =>
  fillPlaceholders(shippedTexts(), { ...sampleNames, ...names }, sampleCookies)
