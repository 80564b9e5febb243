import { createElement, type ReactNode, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { ElementTree } from './element-tree.ts'

const build = ([tag, props, content]: ElementTree): ReactNode =>
  createElement(
    tag,
    props,
    ...content.map((child) => (typeof child === 'string' ? child : build(child))),
  )

/** React alone with a form as large as the enquiry's, which dispatches the same event when it is ready. */
function Told({ tree }: { tree: ElementTree }) {
  useEffect(() => {
    document.dispatchEvent(new CustomEvent('enquiry:step', { detail: { step: 0 } }))
  }, [])
  return build(tree)
}

const root = document.getElementById('enquiry')
const tree = document.getElementById('enquiry-props')?.textContent
if (root && tree) hydrateRoot(root, createElement(Told, { tree: JSON.parse(tree) }))
