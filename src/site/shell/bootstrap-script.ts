/**
 * Brings React as soon as the page has been painted, or at the first touch of the form; where it does not come, at two
 * touches more: what is blocked stays so. Until then, and without it, the form works as the server made it. Going to the page that one is on is ignored: a reload would serve nobody
 * (reading 15). Where the skip link has put a `#` into the address, it is the same page still.
 *
 * It stands in the page itself, as text: it may use nothing from outside, and a file would cost a round trip.
 */
function bootstrap() {
  const form = document.getElementById('enquiry')
  let isComing = false
  let tries = 3
  const bringReact = () => {
    if (isComing || !form || tries === 0) return
    isComing = true
    tries -= 1
    import(/* @vite-ignore */ form.dataset.script ?? '').catch((error) => {
      isComing = false
      console.error(error)
    })
  }
  form?.addEventListener('focusin', bringReact)
  form?.addEventListener('pointerdown', bringReact)
  requestAnimationFrame(() => setTimeout(bringReact))
  addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a')
    const isPlain = !(event.ctrlKey || event.shiftKey || event.metaKey || event.altKey)
    if (link && isPlain && !link.target && link.href === location.href.split('#')[0]) {
      event.preventDefault()
    }
  })
}

/** The function as the page carries it. */
export const bootstrapScript = `(${bootstrap})()`
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '')
  .join('\n')
