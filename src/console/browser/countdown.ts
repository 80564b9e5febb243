/** Says how long something can still be undone, and takes the offer away once it cannot. */
for (const offer of document.querySelectorAll<HTMLElement>('[data-left]')) {
  const endsAt = performance.now() + Number(offer.dataset.left)
  const place = offer.querySelector('[data-left-said]')
  const tick = () => {
    const seconds = Math.ceil((endsAt - performance.now()) / 1000)
    if (seconds <= 0) return takeAway(offer)
    if (place) place.textContent = `${seconds} s`
    setTimeout(tick, 250)
  }
  tick()
}

/** A list without an entry is none. */
function takeAway(offer: HTMLElement): void {
  const list = offer.parentElement
  offer.remove()
  if (list?.childElementCount === 0) list.remove()
}
