import { recall, remember } from './remembered.ts'

/**
 * Handles single-key shortcuts. A key presses its element with `data-hotkey`, or focuses it if it is a text field; `j`
 * and `k` move from row to row. WCAG 2.1.4 asks for a way to turn such keys off; this browser remembers the choice.
 */
const switchName = 'console-keys'
const root = document.documentElement

/** Keys are ignored until this time, because until the next page arrives they would act on the old page's lead. */
let leavingUntil = 0
const navigationTimeoutMs = 3000

const all = (selector: string, within: ParentNode = document) => [
  ...within.querySelectorAll<HTMLElement>(selector),
]

const isOn = () => recall(switchName) !== 'off'

/** Names the keys of buttons for screen readers while keys are on. */
export function showKeys(within: ParentNode = document): void {
  root.dataset.keys = isOn() ? 'on' : 'off'
  for (const element of all('[data-hotkey]', within)) {
    if (isOn()) element.setAttribute('aria-keyshortcuts', element.dataset.hotkey ?? '')
    else element.removeAttribute('aria-keyshortcuts')
  }
  for (const box of all('[data-keys-switch]', within)) (box as HTMLInputElement).checked = isOn()
}

const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input, select, textarea, [contenteditable], dialog') !== null

/** Focuses the next or previous row's link; after the last row, the link to the next page. */
function goTo(step: 1 | -1): boolean {
  const stops = [
    ...all('tbody tr').flatMap((row) => row.querySelector<HTMLElement>('a[href]') ?? []),
    ...all('main a[rel=next]'),
  ]
  const focused = document.activeElement
  const now = stops.findIndex(
    (stop) => stop === focused || stop.closest('tr')?.contains(focused) === true,
  )
  const next = stops[now === -1 && step === 1 ? 0 : now + step]
  next?.focus()
  return next !== undefined
}

function press(key: string): boolean {
  if (key === 'j' || key === 'k') return goTo(key === 'j' ? 1 : -1)
  const found = all('[data-hotkey]').find(({ dataset }) => dataset.hotkey === key)
  if (found instanceof HTMLInputElement) found.select()
  else if (found !== undefined) {
    leavingUntil = performance.now() + navigationTimeoutMs
    found.click()
  } else if (key === '/') location.assign('/leads#field-search')
  else return false
  found?.focus()
  return true
}

document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, altKey, metaKey, isComposing, repeat, target } = event
  if (ctrlKey || altKey || metaKey || isComposing || event.defaultPrevented) return
  if (!isOn() || isTyping(target) || performance.now() < leavingUntil) return
  // A key that is held down acts only once, except `j` and `k`, which keep moving from row to row.
  if (repeat && key !== 'j' && key !== 'k') return
  if (press(key)) event.preventDefault()
})

// The browser may restore this page from its back/forward cache, with keys still ignored.
addEventListener('pageshow', () => {
  leavingUntil = 0
})

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.matches('[data-keys-switch]')) return
  remember(switchName, target.checked ? 'on' : 'off')
  showKeys()
})

for (const element of all('[data-needs-script]')) element.hidden = false
showKeys()
if (location.hash === '#field-search') all('#field-search')[0]?.focus()
