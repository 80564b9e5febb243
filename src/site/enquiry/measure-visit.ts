// This script records the form's events with their times, but no answer except the program. Whenever the visitor leaves
// a step or the page, the script reports the events. Each report has all events of the tab, so a lost report changes
// nothing. The server reads the reports in `parseVisitReport`. The form works without this script, which loads when the
// browser is idle.

import type { Field } from '#domain/enquiry/answers.ts'

interface VisitEvent {
  readonly type?: string
  readonly target: { readonly name?: string }
  readonly detail?: unknown
}

/** The element of the form or of the thank-you screen. */
type StepElement = HTMLElement & Partial<Record<Extract<Field, 'programId'>, HTMLInputElement>>

function record({ type, target, detail }: VisitEvent): void {
  const { dataset, programId } = document.querySelector('[data-step]') as StepElement
  const { hidden, body } = document
  const lines = sessionStorage.visit.split('\n')
  lines.push(
    [
      Date.now(),
      type?.[0],
      dataset.step,
      programId?.value,
      +hidden,
      target.name,
      // The detail of `enquiry:step` is an object, which would become the text `[object Object]`.
      Array.isArray(detail) ? detail : '',
    ].join(),
  )
  // The server takes at most 4,096 bytes, so the oldest events are left out. Earlier reports contained these events,
  // unless a single step had too many.
  while (lines.join().length > 2500) lines.splice(1, 1)
  sessionStorage.visit = lines.join('\n')
  // Skips the first event, which has no type: a page that opens in the background sends no report.
  if (type === 'enquiry:step' || (type && hidden)) {
    // The last touch's source and campaign. Of a click id, which names a platform, one character is enough. A part that
    // is too long for the report is left out, because a cut value would name another campaign.
    const touch = sessionStorage.attribution
      ?.split(' ')
      .pop()
      .match(/(^|&)(\w+id=.|(utm_(so|ca)|re)[^&]{1,510}(?![^&]))/g)
      ?.join('')
    navigator.sendBeacon('/api/events', [body.dataset.area, innerWidth, touch, ...lines].join('\n'))
  }
}

record({ target: {} })
for (const type of [
  'focusin',
  'input',
  'visibilitychange',
  'enquiry:step',
  'enquiry:refused',
  'enquiry:vital',
]) {
  // One input is enough, because the first input starts the form.
  addEventListener(type, record as unknown as EventListener, {
    capture: true,
    once: type === 'input',
  })
}
