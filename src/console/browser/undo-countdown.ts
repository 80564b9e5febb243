/** Counts down how long a release can still be undone, and says when it no longer can. */
for (const offer of document.querySelectorAll<HTMLElement>('[data-left]')) {
  const endsAt = performance.now() + Number(offer.dataset.left)
  const secondsElement = offer.querySelector('[data-left-said]')
  const tick = () => {
    const seconds = Math.ceil((endsAt - performance.now()) / 1000)
    if (seconds <= 0) return end(offer)
    if (secondsElement) secondsElement.textContent = `${seconds} s`
    setTimeout(tick, 250)
  }
  tick()
}

const timeOverText = 'The time to undo this release is over.'

/** The ended offer keeps its size and the focus, so that the content below does not move under the pointer. */
function end(offer: HTMLElement): void {
  const hadFocus = offer.contains(document.activeElement)
  offer.style.minBlockSize = `${offer.offsetHeight}px`
  for (const form of offer.querySelectorAll('form')) form.remove()
  const sentence = offer.querySelector('[data-left-sentence]')
  if (sentence) sentence.textContent = timeOverText
  const status = document.querySelector('[data-left-over]')
  if (status) status.textContent = timeOverText
  if (!hadFocus) return
  offer.tabIndex = -1
  offer.focus()
}
