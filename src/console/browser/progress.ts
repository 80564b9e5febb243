/** Says how long a release can still be undone, and that it cannot any more once the time is over. */
for (const offer of document.querySelectorAll<HTMLElement>('[data-left]')) {
  const endsAt = performance.now() + Number(offer.dataset.left)
  const place = offer.querySelector('[data-left-said]')
  const tick = () => {
    const seconds = Math.ceil((endsAt - performance.now()) / 1000)
    if (seconds <= 0) return end(offer)
    if (place) place.textContent = `${seconds} s`
    setTimeout(tick, 250)
  }
  tick()
}

const over = 'The time to undo this release is over.'

/** It keeps its place and the focus: the content below would otherwise move under the pointer. */
function end(offer: HTMLElement): void {
  const hadFocus = offer.contains(document.activeElement)
  offer.style.minBlockSize = `${offer.offsetHeight}px`
  for (const form of offer.querySelectorAll('form')) form.remove()
  const sentence = offer.querySelector('[data-left-sentence]')
  if (sentence) sentence.textContent = over
  const status = document.querySelector('[data-left-over]')
  if (status) status.textContent = over
  if (!hadFocus) return
  offer.tabIndex = -1
  offer.focus()
}

/**
 * While a file is written the browser shows its bytes at most, so the number of leads is shown
 * beside the button.
 */
const askEvery = 1000

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-progress]')) {
  const said = form.querySelector<HTMLElement>('[data-progress-said]')
  form.addEventListener('submit', () => {
    if (said) follow(form.dataset.progress ?? '', said)
  })
}

interface Progress {
  readonly done: number
  readonly state: 'running' | 'whole' | 'cut off'
}

/** Until it has ended; after a refusal another page is shown. */
async function follow(id: string, said: HTMLElement): Promise<void> {
  said.textContent = 'The file is being written …'
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, askEvery))
    const reply = await fetch(`/api/exports/${id}`).catch(() => undefined)
    if (reply === undefined || reply.status === 404) continue
    if (!reply.ok) return
    const { done, state }: Progress = await reply.json()
    const leads = `${done.toLocaleString('en-US')} ${done === 1 ? 'lead' : 'leads'}`
    if (state === 'running') said.textContent = `${leads} so far …`
    else {
      said.textContent =
        state === 'whole' ? `The file is complete: ${leads}.` : `Cut off after ${leads}. Try again.`
      return
    }
  }
}
