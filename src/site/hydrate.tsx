import { createRoot, hydrateRoot } from 'react-dom/client'
import { xsrfCookie } from '#contract/own-api.ts'
import { type Answers, type Field, noAnswers } from '#domain/enquiry/answers.ts'
import { steps } from '#domain/enquiry/steps.ts'
import { readCookie } from './api/read-cookie.ts'
import { storedDraft } from './enquiry/draft.ts'
import { EnquiryApp } from './enquiry/enquiry-app.tsx'
import type { EnquiryProps } from './enquiry/enquiry-props.ts'
import { loadStepLogic } from './enquiry/load-step-logic.ts'
import { shownAnswers } from './enquiry/shown-answers.ts'

const island = document.getElementById('enquiry')
const propsText = document.getElementById('enquiry-props')?.textContent

// Where cookies are blocked, the own API would refuse every call; the form then works as it does without JavaScript.
if (island && propsText && readCookie(xsrfCookie)) hydrateForm(island, JSON.parse(propsText))

async function hydrateForm(island: HTMLElement, props: EnquiryProps) {
  const stored = isFreshReply(props) ? null : storedDraft()
  const draft = stored && (await loadStepLogic()).enquiryFromDraft(stored)
  if (!draft) {
    const question = props.posted?.question && (await loadStepLogic()).questionIn(props.posted)
    return hydrateRoot(island, <EnquiryApp {...props} question={question} />)
  }
  // What the server rendered is not what the visitor left: start from the draft instead of hydrating.
  const enquiry = { ...draft, answers: { ...draft.answers, ...typedMeanwhile(island, props) } }
  return createRoot(island).render(<EnquiryApp {...props} posted={{ enquiry, errors: {} }} />)
}

/** A posted form's reply knows more than the draft; once it is reloaded, or returned to, the draft knows more. */
function isFreshReply({ posted }: EnquiryProps): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return posted !== undefined && navigation?.type === 'navigate'
}

/** What was typed into the server's form while the script was on its way. */
function typedMeanwhile(island: HTMLElement, { posted }: EnquiryProps): Partial<Answers> {
  const form = island.querySelector('form')
  const shown = form && steps[Number(form.dataset.step)]
  if (!shown) return {}
  const rendered = posted?.enquiry.answers ?? noAnswers
  const typed = Object.entries(shownAnswers(form, shown)).filter(
    ([field, value]) => value !== rendered[field as Field],
  )
  return Object.fromEntries(typed)
}
