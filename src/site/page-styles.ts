// The styles of what only the server renders: this file's script reaches no page, its stylesheet every page.
import './shell/tokens.css'
import './shell/base.css'
import './shell/header.module.css'
import './shell/footer.module.css'
import './landing/landing-page.module.css'
import './landing/marketing.module.css'
import './legal/legal-page.module.css'
