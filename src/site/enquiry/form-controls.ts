import { type RefObject, useLayoutEffect, useRef } from 'react'
import { type Enquiry, type Field, shownFields } from '#domain/enquiry/enquiry.ts'

/** The controls that a visitor fills in, without buttons. Each button of a radio group is one. */
export type Control = HTMLInputElement | HTMLSelectElement

const isControl = (element: unknown): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement

const controlsOf = (form: HTMLFormElement): readonly Control[] =>
  [...form.elements].filter(isControl)

/** Like a posted form, except that unchecked or unchosen controls, which a posted form omits, are empty. */
const textIn = (control: Control): string =>
  isChoice(control) && !control.checked ? '' : control.value

const isChoice = (control: Control): control is HTMLInputElement =>
  /^(checkbox|radio)$/.test(control.type)

/**
 * The value of the control, or the radio group, of this name.
 * @throws where the form has none that can be read: an answer would be lost without a word
 */
export function answerIn(form: HTMLFormElement, name: string): string {
  const named = controlsOf(form).filter((control) => control.name === name)
  if (!named[0]) throw new Error(`no control for ${name}`)
  // Of a radio group at most one holds anything.
  return named.map(textIn).join('')
}

/** Whether its value differs from the page's. */
const isEdited = (control: Control): boolean =>
  control instanceof HTMLSelectElement
    ? !control.selectedOptions[0]?.defaultSelected
    : control.value !== control.defaultValue || control.checked !== control.defaultChecked

export const editedControls = (form: HTMLFormElement): readonly Control[] =>
  controlsOf(form).filter(isEdited)

/**
 * The enquiry with the current values of its step's controls: autofill and password managers may send no event.
 * @param form null on the thank-you screen
 * @throws where a field that the step shows has no control that can be read
 */
export function readEnquiry(form: HTMLFormElement | null, enquiry: Enquiry): Enquiry {
  if (!form) return enquiry
  const shown = shownFields(enquiry).map((field) => [field, answerIn(form, field)])
  const answers: Record<Field, string> = { ...enquiry.answers, ...Object.fromEntries(shown) }
  return { ...enquiry, answers }
}

/**
 * Copies the visitor's entries from a form that React has replaced, as it does where a translation or an extension has
 * changed the page's markup.
 * @param focused the element that had the focus last, so that the visitor can go on typing
 */
export function carryOver(from: HTMLFormElement, to: HTMLFormElement, focused: unknown): void {
  if (from.dataset.step !== to.dataset.step) return
  // A radio button is one of several of its name.
  const twinOf = ({ name, type, value }: Control) =>
    controlsOf(to).find((twin) => twin.name === name && (type !== 'radio' || twin.value === value))
  for (const control of editedControls(from)) {
    const { value, checked } = control as HTMLInputElement
    Object.assign(twinOf(control) ?? {}, { value, checked })
  }
  if (isControl(focused) && from.contains(focused)) twinOf(focused)?.focus()
}

/** The form's values in the server's page, before React takes over. */
export interface ServersForm {
  readonly form: HTMLFormElement | null
  /** The element that had the focus last. */
  readonly focused: () => EventTarget | null
}

/** The form as it stands in the page. If another control suddenly replaces it, text typed into the old one is lost. */
export function useFormElement(
  container: RefObject<HTMLElement | null>,
  before: ServersForm | undefined,
): RefObject<HTMLFormElement | null> {
  const element = useRef(before?.form ?? null)
  useLayoutEffect(() => {
    const form = container.current?.querySelector('form') ?? null
    const last = element.current
    if (form && last && form !== last) carryOver(last, form, before?.focused())
    element.current = form
  })
  return element
}

/** Posts the form as the browser does without script. In a form of its own: the visitor's may be disabled. */
export function postNatively(posted: FormData): void {
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
