import { useCallback, useEffect, useRef } from 'react'
import { emptyAnswers } from '#domain/enquiry/answers.ts'
import { type Enquiry, emptyEnquiry, steps, uncheckedAddress } from '#domain/enquiry/enquiry.ts'
import { renameFormerControls } from '#domain/enquiry/former-names.ts'
import type { LiveForm } from './form-state.ts'
import { readTabStorage, writeTabStorage } from './tab-storage.ts'

/** Runs the work when the browser is idle, after a second at the latest; in Safari after 200 ms. */
export function runWhenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 1000 })
  else setTimeout(work, 200)
}

const draftKey = 'enquiry'

const sentKey = 'enquiry-sent'

export const readStoredDraft = (): string | null => readTabStorage(draftKey)

let disclosure = ''

/** Says which disclosure this page shows. Another page's draft loses its consent, which belongs to another text. */
export const setShownDisclosure = (id: string): void => {
  disclosure = id
}

const formatDraft = (enquiry: Enquiry): string => JSON.stringify({ ...enquiry, disclosure })

/** Returns whether the form equals the saved draft. Without a draft, returns whether the form is untouched. */
export const matchesSavedDraft = (enquiry: Enquiry): boolean =>
  formatDraft(enquiry) === (readStoredDraft() ?? formatDraft(emptyEnquiry))

let isDiscarded = false

/** Keeps this page from saving its outdated form, even when the visitor leaves the page. */
export const stopSavingDraft = (): void => {
  isDiscarded = true
}

export function saveDraft(enquiry: Enquiry): void {
  if (!isDiscarded && !matchesSavedDraft(enquiry)) writeTabStorage(draftKey, formatDraft(enquiry))
}

export function deleteDraft(): void {
  writeTabStorage(draftKey, null)
  writeTabStorage(sentKey, 'yes')
}

/** Returns whether this tab has sent an enquiry. If so, the browser may restore its answers for the next person. */
export const hasTabSentEnquiry = (): boolean => readTabStorage(sentKey) !== null

/** Parses a draft, possibly saved by an earlier version, without a schema, because the schema library loads later. */
export function parseDraft(stored: string | null): Enquiry | undefined {
  // A new page has no draft, and catching a parser error would cost a slow phone 10 ms.
  if (!stored) return undefined
  try {
    const { step, answers, addressCheck, ...rest } = JSON.parse(stored)
    if (!Number.isInteger(step) || !steps[step]) return undefined
    const isSameText = rest.disclosure === disclosure
    return {
      ...emptyEnquiry,
      ...pickTexts({ key: '', questionedContact: '' }, rest),
      step,
      answers: {
        ...pickTexts(emptyAnswers, renameFormerControls(answers)),
        ...(isSameText ? {} : { confirmation: '' }),
      },
      addressCheck: pickTexts(uncheckedAddress, addressCheck ?? {}),
    }
  } catch {
    return undefined
  }
}

/** Returns the defaults, replaced by the stored texts that have the same names. */
const pickTexts = <Texts extends object>(defaults: Texts, stored: Record<string, unknown>): Texts =>
  Object.fromEntries(
    Object.entries(defaults).map(([name, text]) => {
      const value = stored[name]
      return [name, typeof value === 'string' ? value : text]
    }),
  ) as Texts

/** Saves the draft when the browser is idle and when the visitor leaves. @returns a function to call after each edit */
export function useDraft(live: LiveForm): () => void {
  const isPlanned = useRef(false)
  const save = useCallback(() => {
    isPlanned.current = false
    if (live.element()) saveDraft(live.enquiry())
  }, [live])

  useEffect(() => {
    // Autofill may send no event, so the form is also saved on leaving. A hidden page may end without `pagehide`.
    addEventListener('pagehide', save)
    document.addEventListener('visibilitychange', save)
  }, [save])

  return () => {
    if (!isPlanned.current) runWhenIdle(save)
    isPlanned.current = true
  }
}
