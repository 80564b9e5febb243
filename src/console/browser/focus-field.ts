/** A link to a field scrolls there, but does not focus it in every browser. */
addEventListener('click', ({ target }) => {
  const link =
    target instanceof Element && target.closest<HTMLAnchorElement>('[data-summary] a[href^="#"]')
  if (link) document.getElementById(link.hash.slice(1))?.focus()
})
