/** Beside a field that is there to be taken along stands a button that does it. */
for (const place of document.querySelectorAll<HTMLElement>('[data-copy]')) {
  const field = place.querySelector('input')
  const button = place.querySelector('button')
  const said = place.querySelector('[role="status"]')
  if (!field || !button || !said) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    field.select()
    // Over plain http there is no such thing, and a browser may refuse it.
    const copied = navigator.clipboard?.writeText(field.value) ?? Promise.reject()
    said.textContent = await copied.then(
      () => 'Copied.',
      () => 'This browser did not copy it. It is selected: copy it by the keyboard or the menu.',
    )
  })
  field.addEventListener('click', () => field.select())
}
