// This script records events of the form and their times, but no answer except the program. The script reports the
// events whenever the visitor leaves a step or the page. Each report has all events of the tab, so a lost report
// changes nothing. The server derives the rest: see `parseVisitReport`. The script loads when the browser is idle, and
// the form doesn't need it.

import type { Field } from '#domain/enquiry/enquiry.ts'

interface VisitEvent {
  readonly type?: string
  readonly target: { readonly name?: string }
  readonly detail?: unknown
}

/** The form or the thank-you screen. */
type StepElement = HTMLElement & Partial<Record<Extract<Field, 'desiredProgram'>, HTMLInputElement>>

function record({ type, target, detail }: VisitEvent): void {
  const { dataset, desiredProgram } = document.querySelector('[data-step]') as StepElement
  const { hidden, body } = document
  const lines = sessionStorage.visit.split('\n')
  lines.push(
    [
      Date.now(),
      type?.[0],
      dataset.step,
      desiredProgram?.value,
      +hidden,
      target.name,
      detail,
    ].join(),
  )
  // The server takes at most 4,096 bytes, so the oldest events are left out: earlier reports contained them, unless
  // this step had too many.
  while (lines.join().length > 3000) lines.splice(1, 1)
  sessionStorage.visit = lines.join('\n')
  // A page that opens in the background is not reported.
  if (type === 'enquiry:step' || (type && hidden))
    navigator.sendBeacon(
      '/api/events',
      [body.dataset.area, innerWidth, sessionStorage.attribution?.slice(-1000), ...lines].join(
        '\n',
      ),
    )
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
  // The first input is enough, because it starts the form.
  addEventListener(type, record as unknown as EventListener, {
    capture: true,
    once: type === 'input',
  })
}
