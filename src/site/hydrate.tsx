import { createRoot, hydrateRoot } from 'react-dom/client'
import { xsrfCookie } from '#contract/own-api.ts'
import { readCookie } from './api/read-cookie.ts'
import { storedDraft } from './enquiry/draft.ts'
import { EnquiryApp } from './enquiry/enquiry-app.tsx'
import type { EnquiryProps } from './enquiry/enquiry-props.ts'
import { loadAnswering } from './enquiry/load-answering.ts'

const island = document.getElementById('enquiry')
const propsText = document.getElementById('enquiry-props')?.textContent

// Where cookies are blocked, the own API would refuse every call; the form then works as it does without JavaScript.
if (island && propsText && readCookie(xsrfCookie)) bringToLife(island, JSON.parse(propsText))

async function bringToLife(island: HTMLElement, props: EnquiryProps) {
  const stored = isFreshReply(props) ? null : storedDraft()
  const draft = stored && (await loadAnswering()).enquiryFromDraft(stored)
  if (!draft) return hydrateRoot(island, <EnquiryApp {...props} />)
  // What the server rendered is not what the visitor left: start from the draft instead of hydrating.
  return createRoot(island).render(
    <EnquiryApp {...props} posted={{ enquiry: draft, errors: {} }} />,
  )
}

/** A posted form's reply knows more than the draft; once it is reloaded, or returned to, the draft knows more. */
function isFreshReply({ posted }: EnquiryProps): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return posted !== undefined && navigation?.type === 'navigate'
}
