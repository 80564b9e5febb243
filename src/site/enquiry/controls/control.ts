/** What a visitor fills in; buttons are none. Each button of a radio group is one. */
export type Control = HTMLInputElement | HTMLSelectElement

export const isControl = (element: unknown): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement

export const controlsOf = (form: HTMLFormElement): readonly Control[] =>
  [...form.elements].filter(isControl)

/** As a posted form has it; what is not ticked, or not the one chosen, which that leaves out, is empty. */
const textIn = (control: Control): string =>
  isChoice(control) && !control.checked ? '' : control.value

const isChoice = (control: Control): control is HTMLInputElement =>
  /^(checkbox|radio)$/.test(control.type)

/**
 * What stands in the control, or the radio group, of this name.
 * @throws where the form has none that can be read: an answer would be lost without a word
 */
export function answerIn(form: HTMLFormElement, name: string): string {
  const named = controlsOf(form).filter((control) => control.name === name)
  if (!named[0]) throw new Error(`no control for ${name}`)
  // Of a radio group at most one holds anything.
  return named.map(textIn).join('')
}

/** Whether it no longer holds what the page came with. */
const isEdited = (control: Control): boolean =>
  control instanceof HTMLSelectElement
    ? !control.selectedOptions[0]?.defaultSelected
    : control.value !== control.defaultValue || control.checked !== control.defaultChecked

export const editedControls = (form: HTMLFormElement): readonly Control[] =>
  controlsOf(form).filter(isEdited)
