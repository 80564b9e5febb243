import { type Control, controlsOf, editedControls, isControl } from './control.ts'

/**
 * Takes what a visitor has put into a form that was replaced over into the one that stands in its place: where a
 * translation or an extension has changed the page's markup, React makes it anew. A form that has left the page still holds
 * what was put into it up to its last moment.
 * @param focused what had the focus last: who is typing goes on typing
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
