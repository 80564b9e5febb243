/**
 * Loads React once the page is painted, or at the first touch of the form; after a failure, up to two more touches try
 * again. Without React the form works as the server rendered it. The script also ignores links to the current page
 * (reading 15), even if the address has a `#`. The function is inlined as text, which saves a round trip, so it must not
 * use anything outside itself.
 */
function bootstrap() {
  const form = document.getElementById('enquiry')
  let isLoading = false
  let tries = 3
  const loadReact = () => {
    if (isLoading || !form || tries === 0) return
    isLoading = true
    tries -= 1
    import(/* @vite-ignore */ form.dataset.script ?? '').catch((error) => {
      isLoading = false
      console.error(error)
    })
  }
  form?.addEventListener('focusin', loadReact)
  form?.addEventListener('pointerdown', loadReact)
  requestAnimationFrame(() => setTimeout(loadReact))
  addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a')
    const isPlain = !(event.ctrlKey || event.shiftKey || event.metaKey || event.altKey)
    if (link && isPlain && !link.target && link.href === location.href.split('#')[0]) {
      event.preventDefault()
    }
  })
}

export const bootstrapScript = `(${bootstrap})()`
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '')
  .join('\n')
