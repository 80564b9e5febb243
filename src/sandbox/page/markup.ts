import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { escapeUnseenInLines } from '#domain/text/escape-unseen.ts'

/** HTML of what was received: what a visitor typed may not turn a line around, or hide in it. */
export const markup = (node: ReactNode): string => escapeUnseenInLines(renderToStaticMarkup(node))
