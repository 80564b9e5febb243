/**
 * Brings React once nothing waits for it: when the page is there and idle, or when the visitor touches the form. Until
 * then, and without it, the form works as the server made it.
 */
const form = document.getElementById('enquiry')
let isComing = false

function bringReact() {
  if (isComing) return
  isComing = true
  // Named by the page: an import that the bundler sees would cost this script a request for its helper.
  import(/* @vite-ignore */ form?.dataset.script ?? '').catch(() => {
    // The form goes on without it; the next touch tries again.
    isComing = false
  })
}

form?.addEventListener('focusin', bringReact)
form?.addEventListener('pointerdown', bringReact)

const whenIdle = () =>
  // Safari has no requestIdleCallback; 200 ms after the load event its first paint is done.
  'requestIdleCallback' in window ? requestIdleCallback(bringReact) : setTimeout(bringReact, 200)

if (document.readyState === 'complete') whenIdle()
else addEventListener('load', whenIdle)

// Going to the page that one is on is ignored (section 2): a reload would serve nobody.
addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a')
  if (link && link.href === location.href && !link.hash) event.preventDefault()
})
