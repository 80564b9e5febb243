import type { Answers } from '#domain/enquiry/answers.ts'
import type { Step } from '#domain/enquiry/step.ts'

/** What stands in the step's controls now, whoever put it there: the visitor, autofill or a password manager. */
export function shownAnswers(form: HTMLFormElement, step: Step): Partial<Answers> {
  const entries = step.fields.flatMap((field) => {
    const control = form.elements.namedItem(field)
    if (control instanceof HTMLInputElement && control.type === 'checkbox') {
      return [[field, control.checked ? 'on' : '']]
    }
    if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) {
      return [[field, control.value]]
    }
    return []
  })
  return Object.fromEntries(entries)
}
