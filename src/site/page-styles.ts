// The styles of what only the server renders. This file's script reaches no page; its stylesheet reaches every page.
import '#ui/tokens.css'
import '#ui/base.css'
import './landing/hero/pictures/drawing-colors.css'
import figures from './landing/figures/figures.module.css'
import landingPage from './landing/landing-page.module.css'
import areaCards from './landing/programs/area-cards.module.css'
import programLists from './landing/programs/program-lists.module.css'
import beforeYouAsk from './landing/questions/before-you-ask.module.css'
import marketing from './landing/reasons/marketing.module.css'
import notSoldNote from './landing/request/not-sold-note.module.css'
import section from './landing/section/section.module.css'
import legalPage from './legal/legal-page.module.css'
import footer from './shell/footer.module.css'
import header from './shell/header.module.css'

/** Exported, as the bundler drops the stylesheet of a CSS module that nobody uses. */
export const serverOnly = [
  header,
  footer,
  landingPage,
  section,
  figures,
  areaCards,
  programLists,
  marketing,
  beforeYouAsk,
  notSoldNote,
  legalPage,
]
