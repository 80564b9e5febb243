/** Focuses a field when the operator clicks its link in the error summary, because some browsers only scroll there. */
addEventListener('click', ({ target }) => {
  const link =
    target instanceof Element && target.closest<HTMLAnchorElement>('[data-summary] a[href^="#"]')
  if (link) document.getElementById(link.hash.slice(1))?.focus()
})

/** Leaves empty filter fields out of the URL. */
addEventListener('formdata', ({ target, formData }) => {
  if (!(target instanceof HTMLFormElement) || target.method !== 'get') return
  for (const name of new Set(formData.keys())) {
    const values = formData.getAll(name).filter((value) => value !== '')
    formData.delete(name)
    for (const value of values) formData.append(name, value)
  }
})

/** After a press, a button ignores further presses for this many milliseconds, for example a double click. */
const ignorePressesForMs = 1500

const pressedAt = new WeakMap<object, number>()

/** Ignores a second press of a button, so that the browser doesn't post a form twice and drop the first response. */
addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.method !== 'post' || event.defaultPrevented) return
  const button = event.submitter ?? form
  const lastPressedAt = pressedAt.get(button) ?? Number.NEGATIVE_INFINITY
  if (event.timeStamp - lastPressedAt < ignorePressesForMs) event.preventDefault()
  else pressedAt.set(button, event.timeStamp)
})

/** Shows the buttons that copy a field's text. Each button's neighbor tells the result, also to screen readers. */
for (const button of document.querySelectorAll<HTMLElement>('button[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const field = document.getElementById(button.dataset.copy ?? '') as HTMLInputElement
    field.select()
    // Browsers offer the clipboard only under https and on this machine, and may forbid it.
    const isCopied = await navigator.clipboard?.writeText(field.value).then(
      () => true,
      () => false,
    )
    const status = button.nextElementSibling
    if (status) status.textContent = isCopied ? 'Copied' : 'Press Ctrl+C or ⌘C to copy'
    if (!isCopied) field.focus()
  })
}
