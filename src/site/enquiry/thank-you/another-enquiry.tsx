import type { MouseEvent } from 'react'
import { thankYou } from '#content/messages.ts'
import { type Area, areaPath } from '#domain/area.ts'
import { newEnquiry } from '#domain/enquiry/enquiry.ts'
import type { LiveForm } from '../live-form.ts'
import { dispatch } from '../step-logic/form-reducer.ts'

/** Begins anew. A link, as the page without script is another one than these thanks; on the same page it only goes to step 1. */
export function AnotherEnquiry({ live, area }: { live: LiveForm; area: Area }) {
  function begin(event: MouseEvent<HTMLAnchorElement>) {
    const { ctrlKey, metaKey, shiftKey, altKey, currentTarget } = event
    const isSamePage = currentTarget.href === location.href.split('#')[0]
    if (ctrlKey || metaKey || shiftKey || altKey || !isSamePage) return
    event.preventDefault()
    dispatch(live, { type: 'went-to', enquiry: newEnquiry })
  }
  return (
    <p>
      <a href={areaPath(area)} onClick={begin}>
        {thankYou.another}
      </a>
    </p>
  )
}
