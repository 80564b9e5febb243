import { useCallback, useEffect, useRef } from 'react'
import { type Enquiry, newEnquiry, noAnswers, uncheckedAddress } from '#domain/enquiry/enquiry.ts'
import { steps } from '#domain/enquiry/steps.ts'
import type { LiveForm } from './form-state.ts'
import { readTabStorage, writeTabStorage } from './tab-storage.ts'

/** Runs the work when the browser is idle, after a second at the latest. Safari has no idle callback. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 1000 })
  else setTimeout(work, 200)
}

const place = 'enquiry'

const sentFromHere = 'enquiry-sent'

const untouched = JSON.stringify(newEnquiry)

/** The stored draft, not yet checked: see `readDraft`. */
export const storedDraft = (): string | null => readTabStorage(place)

/** Whether the draft is what the form has. A form that nobody has touched is no draft. */
export const isDraft = (enquiry: Enquiry): boolean =>
  JSON.stringify(enquiry) === (storedDraft() ?? untouched)

let isGivenUp = false

/** This page's form is outdated: it is not saved any more, not even when the page is left. */
export const discardDraft = (): void => {
  isGivenUp = true
}

export function saveDraft(enquiry: Enquiry): void {
  if (!isGivenUp && !isDraft(enquiry)) writeTabStorage(place, JSON.stringify(enquiry))
}

/** The enquiry has been sent. */
export function dropDraft(): void {
  writeTabStorage(place, null)
  writeTabStorage(sentFromHere, 'yes')
}

/** Whether this tab has sent one: the browser may bring back the answers of the person who sat here before. */
export const hasSent = (): boolean => readTabStorage(sentFromHere) !== null

/**
 * Parses the draft that another page of this tab has left; undefined if the form can't continue with it. Missing fields
 * are as in a new enquiry: an earlier version may have saved it. Without a schema, as those load later.
 */
export function readDraft(stored: string | null): Enquiry | undefined {
  // Catching an error costs a slow phone 10 ms, and a fresh page has no draft.
  if (!stored) return undefined
  try {
    const { step, answers, addressCheck, standing, ...rest } = JSON.parse(stored)
    if (!Number.isInteger(step) || !steps[step]) return undefined
    return {
      ...newEnquiry,
      ...texts({ key: '', askedAbout: '' }, rest),
      step,
      answers: texts(noAnswers, answers),
      // 0.2 calls it `standing`: a tab that was open during the upgrade has it so.
      addressCheck: texts(uncheckedAddress, addressCheck ?? standing),
    }
  } catch {
    return undefined
  }
}

/** The stored texts for those of the pattern; nothing else that may have been stored. */
function texts<Pattern extends object>(pattern: Pattern, stored: Record<string, unknown>): Pattern {
  const read = Object.entries(pattern).map(([name, text]) => {
    const value = stored[name]
    return [name, typeof value === 'string' ? value : text]
  })
  return Object.fromEntries(read)
}

/**
 * Saves the draft while the browser is idle and before the page is left, so that even a tab that crashes loses at most the
 * last second.
 * @returns the function to call after an edit
 */
export function useDraft(live: LiveForm): () => void {
  const isPlanned = useRef(false)
  const save = useCallback(() => {
    isPlanned.current = false
    if (live.element()) saveDraft(live.enquiry())
  }, [live])

  useEffect(() => {
    // Autofill may send no event, and a phone may end a hidden page without one.
    addEventListener('pagehide', save)
    document.addEventListener('visibilitychange', save)
  }, [save])

  return () => {
    if (!isPlanned.current) whenIdle(save)
    isPlanned.current = true
  }
}
