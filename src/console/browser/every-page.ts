import { startLiveUpdates } from './live-updates.ts'

startLiveUpdates()

// On a phone the navigation scrolls sideways. Browsers don't do this when a partly visible link gets the focus.
const header = document.querySelector('header')
header?.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element) target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
})

// Scrolls the navigation until the current page's link is in the middle. `scrollIntoView` would also scroll the page.
const current = header?.querySelector('[aria-current]')
const row = current?.closest('nav, form')?.parentElement
if (current && row) {
  const { left, width } = current.getBoundingClientRect()
  row.scrollLeft = left + width / 2 - row.clientWidth / 2
}

/** A page with a person's data checks at this interval, in milliseconds, whether the operator is still signed in. */
const pollIntervalMs = 5000

const reloadPage = () => location.replace(location.pathname + location.search)

/**
 * Hides and reloads a page that the browser restores from its back/forward cache, because the operator may have signed
 * out since. Over plain http, WebKit caches even pages with `Cache-Control: no-store`.
 */
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted || document.querySelector('form[action="/sign-out"]') === null) return
  document.documentElement.style.visibility = 'hidden'
  reloadPage()
})

// A page that shows a person's data gets no live updates, so this script asks whether the session has ended.
if (document.querySelector('[data-revealed]') !== null) {
  setInterval(async () => {
    const reply = await fetch('/api/changes').catch(() => undefined)
    if (reply?.status === 401) reloadPage()
  }, pollIntervalMs)
}

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
