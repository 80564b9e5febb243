import type { AbuseSignal } from '#domain/abuse/signals.ts'

/** An abuse signal is not personal data, so its key is not hashed. */
export const makeAbuseSignalKey = (signal: AbuseSignal): string => `signal:${signal}`

const referencePrefix = 'reference:'

export const makeReferenceKey = (leadId: string): string => referencePrefix + leadId

export const parseReferenceKey = (key: string): string | undefined =>
  key.startsWith(referencePrefix) ? key.slice(referencePrefix.length) : undefined
