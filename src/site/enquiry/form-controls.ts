import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Field } from '#domain/enquiry/answers.ts'
import { type Enquiry, listVisibleFields } from '#domain/enquiry/enquiry.ts'

/** A control that a visitor fills in. Each button of a radio group is a control of its own. */
type FormControl = HTMLInputElement | HTMLSelectElement

const isControl = (element: unknown): element is FormControl =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement

const listControls = (form: HTMLFormElement): readonly FormControl[] =>
  [...form.elements].filter(isControl)

/** Returns the value that a form would post; empty for an unchecked control. */
const readControl = (control: FormControl): string =>
  isChoice(control) && !control.checked ? '' : control.value

const isChoice = (control: FormControl): control is HTMLInputElement =>
  /^(checkbox|radio)$/.test(control.type)

/** @throws if the form has no control with the name, because the answer would be lost silently */
export function readAnswer(form: HTMLFormElement, name: string): string {
  const named = listControls(form).filter((control) => control.name === name)
  if (!named[0]) throw new Error(`no control for ${name}`)
  // At most one button of a radio group has a value.
  return named.map(readControl).join('')
}

const isEdited = (control: FormControl): boolean =>
  control instanceof HTMLSelectElement
    ? !control.selectedOptions[0]?.defaultSelected
    : control.value !== control.defaultValue || control.checked !== control.defaultChecked

export const listEditedControls = (form: HTMLFormElement): readonly FormControl[] =>
  listControls(form).filter(isEdited)

/** Reads the step's controls, which autofill may change without an event. @param form null on the thank-you screen */
export function readEnquiry(form: HTMLFormElement | null, enquiry: Enquiry): Enquiry {
  if (!form) return enquiry
  const shown = listVisibleFields(enquiry).map((field) => [field, readAnswer(form, field)])
  const answers: Record<Field, string> = { ...enquiry.answers, ...Object.fromEntries(shown) }
  return { ...enquiry, answers }
}

/** Copies the visitor's entries from a form that React has replaced, for example because a translation changed it. */
export function copyFormValues(from: HTMLFormElement, to: HTMLFormElement, focused: unknown): void {
  if (from.dataset.step !== to.dataset.step) return
  // Radio buttons of a group share a name, so the value tells the buttons apart.
  const matchingControl = ({ name, type, value }: FormControl) =>
    listControls(to).find(
      (twin) => twin.name === name && (type !== 'radio' || twin.value === value),
    )
  for (const control of listEditedControls(from)) {
    const { value, checked } = control as HTMLInputElement
    Object.assign(matchingControl(control) ?? {}, { value, checked })
  }
  if (isControl(focused) && from.contains(focused)) matchingControl(focused)?.focus()
}

/** The form on the page before React hydrates it. */
export interface ServerRenderedForm {
  readonly form: HTMLFormElement | null
  readonly focused: () => EventTarget | null
}

/** Returns the form element. If React replaces the element, the hook copies the text typed into the old element. */
export function useFormElement(
  container: RefObject<HTMLElement | null>,
  before: ServerRenderedForm | undefined,
): RefObject<HTMLFormElement | null> {
  const element = useRef(before?.form ?? null)
  useLayoutEffect(() => {
    const form = container.current?.querySelector('form') ?? null
    const last = element.current
    if (form && last && form !== last) copyFormValues(last, form, before?.focused())
    element.current = form
  })
  return element
}

/** Posts the data as the browser does without JavaScript, in a new form, because the visitor's may be disabled. */
export function postFormNatively(posted: FormData): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.hidden = true
  for (const [name, value] of posted) {
    const input = document.createElement('input')
    Object.assign(input, { name, value })
    form.append(input)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}
