// The build bundles this file for the stylesheet that every page contains. No page loads the script.
import '#ui/tokens.css'
import '#ui/base.css'
import './shell/console.css'
import field from '#ui/field.module.css'

/** The bundler drops the stylesheet of a CSS module whose class names nobody uses, so this constant exports them. */
export const styleModules = [field, import.meta.glob('./**/*.module.css', { eager: true })]
