/** Puts a text into a field as if it had been typed there, so that whoever listens hears of it. */
export function fillIn(id: string, text: string): HTMLInputElement | undefined {
  const field = document.getElementById(id)
  if (!(field instanceof HTMLInputElement)) return undefined
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
  return field
}
