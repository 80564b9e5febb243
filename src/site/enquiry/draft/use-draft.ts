import { useCallback, useEffect, useRef } from 'react'
import type { LiveForm } from '../live-form.ts'
import { whenIdle } from '../when-idle.ts'
import { saveDraft } from './draft.ts'

/**
 * Keeps the draft up with what is typed, without holding up a key: it is written when the browser has nothing better to do,
 * so that even a tab that crashes loses no more than the last second, and before the page is left.
 * @returns what is to be called after an edit
 */
export function useDraft(live: LiveForm): () => void {
  const isPlanned = useRef(false)
  const save = useCallback(() => {
    isPlanned.current = false
    if (live.element()) saveDraft(live.enquiry())
  }, [live])

  useEffect(() => {
    // Also for what autofill has put in, which says nothing. A phone may end a page that it has put aside without a word.
    addEventListener('pagehide', save)
    document.addEventListener('visibilitychange', save)
  }, [save])

  return () => {
    if (!isPlanned.current) whenIdle(save)
    isPlanned.current = true
  }
}
