/** What a visitor fills in; buttons are none. */
export type Control = HTMLInputElement | HTMLSelectElement

export const isControl = (element: unknown): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement

/** As a posted form has it; a box that is not ticked, which that leaves out, is empty. */
export const textIn = (control: Control): string =>
  control.type !== 'checkbox' || ('checked' in control && control.checked) ? control.value : ''

/** Whether it no longer holds what the page came with. */
export const isEdited = (control: Control): boolean =>
  control instanceof HTMLSelectElement
    ? !control.selectedOptions[0]?.defaultSelected
    : control.value !== control.defaultValue || control.checked !== control.defaultChecked

export const editedControls = (form: HTMLFormElement): readonly Control[] =>
  [...form.elements].filter(isControl).filter(isEdited)
