// The build bundles this file only for its stylesheet, which every page loads; no page loads its script.
import '#ui/tokens.css'
import '#ui/base.css'
import './shell/console.css'
import field from '#ui/field.module.css'

/** This constant is exported because the bundler drops the stylesheet of a CSS module that nobody imports. */
export const styleModules = [field, import.meta.glob('./**/*.module.css', { eager: true })]
