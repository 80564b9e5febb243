// The styles of pages and components that only the server renders. Pages load these styles, but not this script. Only
// legal pages have the styles of legal-page.module.css.
import '#ui/tokens.css'
import '#ui/base.css'
import landingPage from './landing/landing-page.module.css'
import linkedProgram from './landing/linked-program.module.css'
import sections from './landing/sections.module.css'
import footer from './shell/footer.module.css'
import header from './shell/header.module.css'

/** The export keeps the bundler from dropping the stylesheets of CSS modules that no script uses. */
export const styleModules = [header, footer, landingPage, linkedProgram, sections]
