import { normalizeLine } from '../enquiry/normalize-answers.ts'
import type { Lead } from './lead.ts'

/** A lead without the values that differ for each call: id, time and proof of consent. */
export type LeadContent = Omit<Lead, 'id' | 'receivedAt' | 'consent'>

type Reader<Value> = (value: Value) => string | number

const keepValue = <Value extends string | number>(value: Value): Value => value

/**
 * How to read each part of a lead that the visitor entered. Null marks a part from the browser, the address service or
 * a link, which may change although the answers stay the same.
 */
const content: { readonly [Field in keyof LeadContent]: Reader<LeadContent[Field]> | null } = {
  area: keepValue,
  subId: null,
  firstName: normalizeLine,
  lastName: normalizeLine,
  phone: keepValue,
  email: (email) => normalizeLine(email).toLowerCase(),
  street: normalizeLine,
  city: normalizeLine,
  state: keepValue,
  zip: keepValue,
  zipPlus4: null,
  addressVerified: null,
  educationLevel: keepValue,
  graduatingYear: keepValue,
  program: ({ id }) => id,
  startDateId: keepValue,
  gpc: null,
  openedAt: null,
  attribution: null,
}

/** Returns the same text for all leads with the same answers (reading 23). */
export const serializeContent = (lead: LeadContent): string =>
  JSON.stringify(
    Object.entries(content).map(
      ([field, read]) =>
        (read as Reader<unknown> | null)?.(lead[field as keyof LeadContent]) ?? null,
    ),
  )
