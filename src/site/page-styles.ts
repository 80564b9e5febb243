// The styles of pages and parts that only the server renders. This file's script reaches no page; its stylesheet reaches all.
import '#ui/tokens.css'
import '#ui/base.css'
import './landing/pictures/drawing-colors.css'
import landingPage from './landing/landing-page.module.css'
import sections from './landing/sections.module.css'
import legalPage from './legal/legal-page.module.css'
import footer from './shell/footer.module.css'
import header from './shell/header.module.css'

/** Exported because the bundler drops the stylesheet of a CSS module that nobody uses. */
export const serverOnly = [header, footer, landingPage, sections, legalPage]
