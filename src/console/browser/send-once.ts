/** Longer than the two presses of a double click, and than a hand that is not sure of the first one; in milliseconds. */
const heldFor = 1500

const pressedAt = new WeakMap<object, number>()

/** What was posted just now is not posted again by a second press: its answer would take the place of the first one's. */
addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.method !== 'post' || event.defaultPrevented) return
  const pressed = event.submitter ?? form
  const last = pressedAt.get(pressed)
  if (last !== undefined && event.timeStamp - last < heldFor) event.preventDefault()
  else pressedAt.set(pressed, event.timeStamp)
})
