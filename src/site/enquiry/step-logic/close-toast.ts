import type { LiveForm } from '../live-form.ts'
import { dispatch } from './form-reducer.ts'
import { focusSummary } from './use-focus.ts'

export function closeToast(live: LiveForm): void {
  // The focus would fall to the page's start with it.
  if (document.activeElement?.closest('[data-toast]')) focusSummary()
  dispatch(live, { type: 'toast-closed' })
}
