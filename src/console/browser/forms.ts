/** A link to a field scrolls there, but does not focus it in every browser. */
addEventListener('click', ({ target }) => {
  const link =
    target instanceof Element && target.closest<HTMLAnchorElement>('[data-summary] a[href^="#"]')
  if (link) document.getElementById(link.hash.slice(1))?.focus()
})

/** An address has only the set parts of a filter; it is read, kept and passed on. */
addEventListener('formdata', ({ target, formData }) => {
  if (!(target instanceof HTMLFormElement) || target.method !== 'get') return
  for (const name of new Set(formData.keys())) {
    const given = formData.getAll(name).filter((value) => value !== '')
    formData.delete(name)
    for (const value of given) formData.append(name, value)
  }
})

/** Longer than the two presses of a double click, and than a hand that is not sure of the first one; in milliseconds. */
const disabledForMs = 1500

const pressedAt = new WeakMap<object, number>()

/** A second press must not post the form again: its response would replace the first one's. */
addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.method !== 'post' || event.defaultPrevented) return
  const pressed = event.submitter ?? form
  const last = pressedAt.get(pressed)
  if (last !== undefined && event.timeStamp - last < disabledForMs) event.preventDefault()
  else pressedAt.set(pressed, event.timeStamp)
})

/** A field with text to copy has a button that copies it. */
for (const place of document.querySelectorAll<HTMLElement>('[data-copy]')) {
  const field = place.querySelector('input')
  const button = place.querySelector('button')
  const said = place.querySelector('[role="status"]')
  if (!field || !button || !said) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    field.select()
    // Over plain http it is missing, and a browser may refuse it.
    const copied = navigator.clipboard?.writeText(field.value) ?? Promise.reject()
    said.textContent = await copied.then(
      () => 'Copied.',
      () => 'This browser did not copy it. It is selected: copy it by the keyboard or the menu.',
    )
  })
  field.addEventListener('click', () => field.select())
}
