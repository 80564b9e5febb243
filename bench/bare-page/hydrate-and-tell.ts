import { createElement, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { rootId, rootText } from './markup.ts'

/** Like hydrate.ts, but the first effect dispatches `enquiry:step`, as the enquiry's form does when it is ready. */
function Told() {
  useEffect(() => {
    document.dispatchEvent(new CustomEvent('enquiry:step', { detail: { step: 0 } }))
  }, [])
  return createElement('div', null, rootText)
}

const root = document.getElementById(rootId)
if (root) hydrateRoot(root, createElement(Told))
