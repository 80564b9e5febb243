// Pages contain these functions as text, which saves a round trip, so the functions use nothing outside themselves.

/**
 * Loads React once the page is painted, or at the first touch of the form. After a failure, up to two more touches load
 * React again. The script also makes the browser ignore links to the current page, even if its URL has a `#` (reading
 * 15).
 */
function bootstrap() {
  const form = document.getElementById('enquiry') as HTMLElement
  let isLoading = false
  let tries = 3
  const loadReact = () => {
    if (isLoading || tries-- < 1) return
    isLoading = true
    import(/* @vite-ignore */ form.dataset.script as string).catch((error) => {
      isLoading = false
      console.error(error)
    })
  }
  form.addEventListener('focusin', loadReact)
  form.addEventListener('pointerdown', loadReact)
  requestAnimationFrame(() => setTimeout(loadReact))
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a')
    // A click with Ctrl, Shift, Meta or Alt belongs to the browser.
    if (event.ctrlKey || event.shiftKey || event.metaKey || event.altKey) return
    if (link?.href === location.href.split('#')[0] && !link?.target) event.preventDefault()
  })
}

/**
 * Gives the tab's visit an id, and puts the id into the form. A step that is posted before `measure-visit.ts` has
 * loaded then belongs to the same visit. A visit that the server has measured without JavaScript keeps its id.
 */
export function startVisit() {
  const field = document.querySelector('[name=visit]') as HTMLInputElement
  try {
    sessionStorage.visit ||= [field.value || Math.random().toString(16).slice(2), Date.now()]
    field.value = sessionStorage.visit.split(',', 1)
  } catch {
    // The visit is not measured on a thank-you screen, which has no field, and in browsers that forbid the storage.
  }
}

const removeCommentsAndIndents = (script: string): string =>
  script
    .replace('/* @vite-ignore */ ', '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/^($|\/[/*])/.test(line))
    .join('\n')

export const startVisitScript = removeCommentsAndIndents(`(${startVisit})()`)
export const bootstrapScript = removeCommentsAndIndents(`(${bootstrap})();(${startVisit})()`)
