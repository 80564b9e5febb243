// This script notes what happens in the form and when, never what the visitor enters, and reports the tab's notes
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
sessionStorage.visit ||= [
  findStage().visit?.value || crypto.getRandomValues(new Uint32Array(4)).join('-'),
  Date.now(),
]

function note({ type, target, detail }: Noted): void {
  const { dataset, desiredProgram } = findStage()
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
  // The server takes at most 4,096 bytes. It has the oldest notes already, unless this step has brought many.
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

note({ target: {} })
for (const type of [
  'focusin',
  'input',
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
