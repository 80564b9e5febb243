/**
 * Loads React once the page is painted, or at a touch of the form. Without React the form works as the server rendered it.
 * The script also ignores links to the current page (reading 15), even if the address has a `#`. The function is inlined as
 * text, which saves a round trip, so it must not use anything from outside.
 */
function bootstrap() {
  const form = document.getElementById('enquiry')
  let isLoading = false
  const loadReact = () => {
    if (isLoading || !form) return
    isLoading = true
    import(/* @vite-ignore */ form.dataset.script ?? '').catch((error) => {
      // The next touch of the form tries again.
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
