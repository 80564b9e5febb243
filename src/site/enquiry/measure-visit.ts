// This script notes what happens in the form and when, never what the visitor enters, and reports all notes of the tab
// whenever the visitor leaves a step or the page: so a lost report changes nothing. The server works out the rest:
// see `parseVisitReport`. The script loads when the browser is idle, and the form doesn't need it.

import type { Field } from '#domain/enquiry/enquiry.ts'

interface Noted {
  readonly type?: string
  readonly target: { readonly name?: string }
  readonly detail?: unknown
}

/** The form, or what the thank-you screen has instead. */
type Stage = HTMLElement &
  Partial<Record<'visit' | Extract<Field, 'desiredProgram'>, HTMLInputElement>>

const findStage = () => document.querySelector('[data-step]') as Stage

// The server fills in the field if the visit began with a form that was posted without JavaScript.
sessionStorage.notes ||=
  findStage().visit?.value || crypto.getRandomValues(new Uint32Array(4)).join('-')

function note({ type, target, detail }: Noted): void {
  const { dataset, desiredProgram } = findStage()
  const { hidden, body } = document
  sessionStorage.notes += `\n${[Date.now(), type, dataset.step, desiredProgram?.value, hidden, target.name, detail]}`
  // A page that opens in the background is not reported.
  if (type === 'enquiry:step' || (type && hidden))
    navigator.sendBeacon(
      '/api/events',
      [body.dataset.area, innerWidth, sessionStorage.attribution, sessionStorage.notes].join('\n'),
    )
}

note({ target: {} })
for (const type of [
  'focusin',
  'input',
  'submit',
  'visibilitychange',
  'enquiry:step',
  'enquiry:refused',
  'enquiry:vital',
]) {
  // The first input is enough: it starts the form.
  addEventListener(type, note as unknown as EventListener, {
    capture: true,
    once: type === 'input',
  })
}
