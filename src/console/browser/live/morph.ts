/**
 * Makes an element what a fresh one is, and leaves alone what is the same: the focus stays, and what is selected, unfolded or
 * typed. A form that somebody is in stays as it is.
 */
export function morph(shown: Element, fresh: Element): void {
  if (shown.isEqualNode(fresh) || isInUse(shown)) return
  for (const { name } of [...shown.attributes]) {
    if (!fresh.hasAttribute(name) && !isOwn(shown, name)) shown.removeAttribute(name)
  }
  for (const { name, value } of fresh.attributes) {
    if (shown.getAttribute(name) !== value && !isOwn(shown, name)) shown.setAttribute(name, value)
  }
  let at = shown.firstChild
  for (const wanted of fresh.childNodes) {
    let found = at
    while (found !== null && !isLike(found, wanted)) found = found.nextSibling
    if (found === null) {
      shown.insertBefore(document.importNode(wanted, true), at)
      continue
    }
    while (at !== null && at !== found) at = leave(at)
    if (found instanceof Element && wanted instanceof Element) morph(found, wanted)
    else if (found.nodeValue !== wanted.nodeValue) found.nodeValue = wanted.nodeValue
    at = found.nextSibling
  }
  while (at !== null) at = leave(at)
}

/** What its reader has done to it, and no reply knows of. */
const isOwn = (element: Element, name: string): boolean =>
  name === 'open' && element instanceof HTMLDetailsElement

function isLike(shown: ChildNode, wanted: ChildNode): boolean {
  if (!(shown instanceof Element) || !(wanted instanceof Element)) {
    return shown.nodeType === wanted.nodeType
  }
  return shown.nodeName === wanted.nodeName && keyOf(shown) === keyOf(wanted)
}

const keyOf = (element: Element): string =>
  element.id || (element.getAttribute('data-key') ?? element.getAttribute('action') ?? '')

/** @returns what follows it */
function leave(node: ChildNode): ChildNode | null {
  const { nextSibling } = node
  if (!(node instanceof Element) || ![node, ...node.querySelectorAll('form')].some(isInUse)) {
    node.remove()
  }
  return nextSibling
}

/** Whether somebody is in this form: with the focus, or with something that is not sent yet. */
function isInUse(form: Element): boolean {
  if (!(form instanceof HTMLFormElement)) return false
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
