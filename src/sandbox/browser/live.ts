/**
 * Shows what comes while the sandbox's page is looked at. Rows are replaced where they stand, so that what a person has
 * opened stays open. Sent as text: it may use nothing from outside.
 */
function live() {
  interface View {
    readonly rows: Readonly<Record<string, readonly string[]>>
    readonly parts: Readonly<Record<string, string>>
  }

  /** How often, at most, a screen reader announces new arrivals, in milliseconds. */
  const newsEvery = 10_000
  const sign = document.getElementById('live')
  const news = document.getElementById('news')
  let newLeads = 0
  let isFirst = true

  const elementFrom = (html: string): Element | null => {
    const template = document.createElement('template')
    template.innerHTML = html
    return template.content.firstElementChild
  }

  function replace(old: Element, fresh: Element) {
    const wasOpen = old.querySelector('details')?.open === true
    const hadFocus = old.contains(document.activeElement)
    old.replaceWith(fresh)
    if (wasOpen) fresh.querySelector('details')?.setAttribute('open', '')
    if (hadFocus) fresh.querySelector('summary')?.focus()
  }

  function showRows(table: HTMLElement, ids: readonly string[], parts: View['parts']) {
    for (const body of [...table.querySelectorAll('tbody')]) {
      if (!ids.includes(body.id)) body.remove()
    }
    let place = table.querySelector('thead')?.nextElementSibling ?? null
    for (const id of ids) {
      if (place?.id === id) {
        place = place.nextElementSibling
        continue
      }
      const fresh = elementFrom(parts[id] ?? '')
      if (fresh === null) continue
      table.insertBefore(fresh, place)
      if (table.id === 'leads') newLeads += 1
    }
  }

  function show({ rows, parts }: View) {
    for (const [id, html] of Object.entries(parts)) {
      const [old, fresh] = [document.getElementById(id), elementFrom(html)]
      if (old && fresh) replace(old, fresh)
    }
    for (const [id, ids] of Object.entries(rows)) {
      const table = document.getElementById(id)
      if (table) showRows(table, ids, parts)
    }
    if (isFirst) newLeads = 0
    isFirst = false
  }

  const say = (state: string, words: string) => {
    if (sign === null) return
    sign.dataset.state = state
    sign.textContent = words
  }
  const source = new EventSource('/events')
  source.addEventListener('message', ({ data }) => show(JSON.parse(data)))
  source.addEventListener('open', () => say('on', 'Live: what comes is shown at once'))
  source.addEventListener('error', () => say('off', 'Not connected: the sandbox does not answer'))
  setInterval(() => {
    if (news === null || newLeads === 0) return
    news.textContent = newLeads === 1 ? 'One lead has come.' : `${newLeads} leads have come.`
    newLeads = 0
  }, newsEvery)
}

/** The function as the page loads it. */
export const liveScript = `(${live})()`
