import { Idiomorph } from 'idiomorph'
import { showKeys } from './keys.ts'
import { writeTimes } from './times.ts'

/** A silent connection would otherwise hold the refresh back forever; in milliseconds. */
const timeout = 20_000

/** Screen readers hear about new rows this often at most; in milliseconds. */
const announceEvery = 15_000

/** The session has ended, or the page may not be seen any more. */
export class NoLongerAllowedError extends Error {}

interface Refreshed {
  /** When the page asks for the next refresh by itself, in milliseconds: its counts are older than it would like. */
  readonly againIn: number | undefined
}

/**
 * Requests this page again and morphs `main` into the reply. Focus, typed text, selections and open details stay. Lists keep
 * their rows and count the new ones.
 * @param onReleased called when the pointer or the focus leaves rows that this refresh left alone
 */
export async function refreshPage(onReleased: () => void): Promise<Refreshed> {
  const reply = await fetch(location.href, {
    headers: { 'x-console-live': 'refresh' },
    signal: AbortSignal.timeout(timeout),
  })
  if (reply.redirected || (reply.status >= 400 && reply.status < 500)) {
    throw new NoLongerAllowedError()
  }
  if (!reply.ok) throw new Error(`The console answered ${reply.status}`)
  const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html')
  const [shown, next] = [document.querySelector('main'), fresh.querySelector('main')]
  if (shown === null || next === null) throw new Error('The reply has no main element')
  writeTimes(next)
  showKeys(next)
  for (const list of next.querySelectorAll<HTMLElement>('[data-live-list]')) holdRows(list)
  morph(shown, next, onReleased)
  return { againIn: againIn(next) }
}

/**
 * Posts a form with `data-in-place` and morphs the page into the reply: the pressed button keeps
 * the focus. Without a script the page is reloaded.
 */
addEventListener('submit', async (event) => {
  const { target: form, submitter } = event
  if (!(form instanceof HTMLFormElement) || !form.matches('[data-in-place]')) return
  if (event.defaultPrevented) return
  event.preventDefault()
  const body = new URLSearchParams(
    new FormData(form, submitter) as unknown as Record<string, string>,
  )
  const reply = await fetch(form.action, { method: 'POST', body }).catch(() => undefined)
  const fresh = new DOMParser().parseFromString((await reply?.text()) ?? '', 'text/html')
  const [shown, next] = [document.querySelector('main'), fresh.querySelector('main')]
  if (!reply?.ok || shown === null || next === null) {
    form.removeAttribute('data-in-place')
    return form.requestSubmit(submitter)
  }
  writeTimes(next)
  showKeys(next)
  // Only what the form shows has changed in it: nothing was typed.
  form.dataset.isAnswered = ''
  morph(shown, next, () => {})
  history.replaceState(null, '', reply.url.replace(/#.*/, ''))
})

/** In how many milliseconds a page asks to be refreshed; undefined if it does not. */
export function againIn(page: ParentNode): number | undefined {
  const again = page.querySelector<HTMLElement>('[data-live-again]')?.dataset.liveAgain
  return again === undefined ? undefined : Number(again)
}

function morph(shown: Element, next: Element, onReleased: () => void): void {
  Idiomorph.morph(shown, next, {
    callbacks: {
      beforeNodeMorphed: (node) => {
        if (!(node instanceof Element)) return true
        if (node.matches('[data-live-keep]') || isFormInUse(node)) return false
        if (!node.matches('[data-live-rows]:is(:hover, :focus-within)')) return true
        callWhenReleased(node, onReleased)
        return false
      },
      beforeNodeRemoved: (node) =>
        !(node instanceof Element) ||
        !(
          node.matches('[data-live-keep]') ||
          node.contains(document.activeElement) ||
          [node, ...node.querySelectorAll('form')].some(isFormInUse)
        ),
      beforeAttributeUpdated: (name, element) =>
        !(name === 'open' && element.matches('details, dialog')),
    },
  })
}

const waiting = new WeakSet<Element>()

function callWhenReleased(rows: Element, onReleased: () => void): void {
  if (waiting.has(rows)) return
  waiting.add(rows)
  const done = new AbortController()
  const release = () => {
    if (rows.matches(':hover, :focus-within')) return
    done.abort()
    waiting.delete(rows)
    onReleased()
  }
  rows.addEventListener('pointerleave', release, done)
  // The focus arrives elsewhere a moment after it leaves.
  rows.addEventListener('focusout', () => setTimeout(release), done)
}

/** It has the focus, or something typed that is not sent yet. */
function isFormInUse(form: Element): boolean {
  if (!(form instanceof HTMLFormElement) || 'isAnswered' in form.dataset) return false
  return form.contains(document.activeElement) || [...form.elements].some(isChanged)
}

function isChanged(control: Element): boolean {
  if (control instanceof HTMLSelectElement) {
    return [...control.options].some(
      ({ selected, defaultSelected }) => selected !== defaultSelected,
    )
  }
  if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue
  if (!(control instanceof HTMLInputElement)) return false
  return control.value !== control.defaultValue || control.checked !== control.defaultChecked
}

/**
 * Gives the fresh list the rows that are shown, each as it is now, so that none moves under the pointer. Rows that are new or
 * gone are counted in the link before the list, which shows them.
 */
function holdRows(fresh: HTMLElement): void {
  const shown = document.getElementById(fresh.id)
  const body = fresh.querySelector('tbody')
  if (shown === null || body === null) return
  const [rows, freshRows] = [rowsOf(shown), rowsOf(fresh)]
  if (rows.size === 0) return
  const ids = [...rows.keys()]
  const freshIds = [...freshRows.keys()]
  // A row that new ones have pushed off the page is still in the list.
  const lastShown = ids.findLastIndex((id) => freshRows.has(id))
  const lastFresh = freshIds.findLastIndex((id) => rows.has(id))
  const isGone = (id: string) => !freshRows.has(id) && ids.indexOf(id) < lastShown
  const hasGrown = lastFresh < 0 || freshIds.length > ids.length
  const added = freshIds.slice(0, hasGrown ? undefined : lastFresh).filter((id) => !rows.has(id))
  body.replaceChildren(
    ...ids.map((id) => {
      const row = freshRows.get(id) ?? (rows.get(id)?.cloneNode(true) as HTMLElement)
      row.toggleAttribute('data-gone', isGone(id))
      return row
    }),
  )
  keepColumns(shown, fresh)
  offerNews(fresh, added.length, ids.filter(isGone).length)
}

/** A shown column stays even if its rows are now all the same: the line that says so would move the rows. */
function keepColumns(shown: HTMLElement, fresh: HTMLElement): void {
  const heads = [...shown.querySelectorAll('th')]
  for (const row of fresh.querySelectorAll('tr')) {
    for (const [index, cell] of [...row.cells].entries())
      cell.hidden &&= heads[index]?.hidden ?? false
  }
  const [line, freshLine] = [shown, fresh].map((list) => list.querySelector('[data-same-in-rows]'))
  if (!line) freshLine?.remove()
  else if (!freshLine) fresh.prepend(line.cloneNode())
}

const rowsOf = (list: Element): ReadonlyMap<string, HTMLElement> =>
  new Map([...list.querySelectorAll<HTMLElement>('tbody tr')].map((row) => [row.id, row]))

let announcedAt = Number.NEGATIVE_INFINITY

function offerNews(fresh: HTMLElement, added: number, gone: number): void {
  const place = fresh.previousElementSibling
  const link = place?.querySelector('a')
  if (!place || !link) return
  const text = [
    ...(added > 0 ? [`${added.toLocaleString('en-US')} new`] : []),
    ...(gone > 0 ? [`${gone.toLocaleString('en-US')} no longer in this list`] : []),
  ].join(', ')
  if (text === '') return
  link.hidden = false
  link.textContent = `Show ${text}`
  const isDue = performance.now() - announcedAt >= announceEvery
  place.setAttribute('aria-live', isDue ? 'polite' : 'off')
  if (isDue) announcedAt = performance.now()
}
