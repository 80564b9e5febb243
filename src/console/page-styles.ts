// As the site's: the styles of what the server renders. The script reaches no page; its stylesheet reaches every page.
import '#ui/tokens.css'
import '#ui/base.css'
import './shell/console.css'
import field from '#ui/field.module.css'
import charts from './charts/charts.module.css'
import deliveriesPage from './deliveries/deliveries-page.module.css'
import jobs from './jobs/jobs.module.css'
import keys from './keys/keys.module.css'
import leadLink from './lead/lead-link.module.css'
import leadPage from './lead/lead-page.module.css'
import timeline from './lead/timeline/timeline.module.css'
import leadsPage from './leads/leads-page.module.css'
import figures from './overview/figures.module.css'
import quarantine from './quarantine/quarantine-page.module.css'
import consolePage from './shell/console-page.module.css'
import controls from './shell/controls.module.css'
import dataTable from './shell/data-table.module.css'
import liveSwitch from './shell/live-switch.module.css'
import notice from './shell/notice.module.css'
import signIn from './sign-in/sign-in-page.module.css'

/** Exported, as the bundler drops the stylesheet of a CSS module that nobody uses. */
export const serverOnly = [
  field,
  keys,
  quarantine,
  figures,
  charts,
  deliveriesPage,
  leadsPage,
  leadLink,
  leadPage,
  jobs,
  timeline,
  consolePage,
  controls,
  dataTable,
  liveSwitch,
  notice,
  signIn,
]
