// The styles of server-rendered pages. This file's script reaches no page; its stylesheet reaches every page.
import '#ui/tokens.css'
import '#ui/base.css'
import './shell/console.css'
import field from '#ui/field.module.css'

/** Exported because the bundler drops the stylesheet of a CSS module that nobody uses. */
export const serverOnly = [field, import.meta.glob('./**/*.module.css', { eager: true })]
