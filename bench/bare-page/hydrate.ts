import { createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { rootId, rootText } from './markup.ts'

/** React's minimum: one hydrated div. */
const root = document.getElementById(rootId)
if (root) hydrateRoot(root, createElement('div', null, rootText))
