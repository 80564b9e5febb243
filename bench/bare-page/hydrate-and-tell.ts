import { createElement, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { rootId, rootText } from './markup.ts'

/** The bare page with the sign that the enquiry's form gives too: its first effect dispatches `enquiry:step`. */
function Told() {
  useEffect(() => {
    document.dispatchEvent(new CustomEvent('enquiry:step', { detail: { step: 0 } }))
  }, [])
  return createElement('div', null, rootText)
}

const root = document.getElementById(rootId)
if (root) hydrateRoot(root, createElement(Told))
