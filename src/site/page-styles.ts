// The styles of what only the server renders. This file's script reaches no page; its stylesheet reaches every page.
import './shell/tokens.css'
import './shell/base.css'
import './landing/pictures/drawing-colors.css'
import landingPage from './landing/landing-page.module.css'
import marketing from './landing/marketing.module.css'
import notSoldNote from './landing/not-sold-note.module.css'
import legalPage from './legal/legal-page.module.css'
import footer from './shell/footer.module.css'
import header from './shell/header.module.css'

/** Exported, as the bundler drops the stylesheet of a CSS module that nobody uses. */
export const serverOnly = [header, footer, landingPage, marketing, notSoldNote, legalPage]
