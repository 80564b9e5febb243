import idiomorph from 'idiomorph/dist/idiomorph.min.js?raw'

interface Morph {
  morph(shown: Element, next: Element, options: object): void
}

/**
 * Morphs the changing parts of the page into a fresh copy once a second while the page is visible, so that open details
 * stay open. The function is sent as text, so it must not use anything from outside.
 */
function follow(Idiomorph: Morph) {
  const sign = document.getElementById('live')
  const refresh = async () => {
    const reply = await fetch('/')
    const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html')
    for (const shown of document.querySelectorAll('[data-live]')) {
      const next = fresh.getElementById(shown.id)
      const beforeAttributeUpdated = (name: string) => name !== 'open'
      if (next) Idiomorph.morph(shown, next, { callbacks: { beforeAttributeUpdated } })
    }
  }
  const show = (state: string, words: string) => {
    if (sign === null || sign.dataset.state === state) return
    sign.dataset.state = state
    sign.textContent = words
  }
  const tick = async () => {
    if (!document.hidden) {
      await refresh().then(
        () => show('on', 'Live: new calls appear here'),
        () => show('off', 'Not connected: the sandbox does not answer'),
      )
    }
    setTimeout(tick, 1000)
  }
  void tick()
}

export const liveScript = `${idiomorph}\n;(${follow})(Idiomorph)`
