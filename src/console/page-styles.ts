// Like the site's: the styles of server-rendered pages. The script reaches no page; its stylesheet
// reaches every page.
import '#ui/tokens.css'
import '#ui/base.css'
import './shell/console.css'
import field from '#ui/field.module.css'
import auditCells from './audit/audit-cells.module.css'
import charts from './charts/charts.module.css'
import deliveriesPage from './deliveries/deliveries-page.module.css'
import jobs from './jobs/jobs.module.css'
import leadLink from './lead/lead-link.module.css'
import leadPage from './lead/lead-page.module.css'
import leadStatusMark from './lead/lead-status-mark.module.css'
import timeline from './lead/timeline.module.css'
import columnsForm from './leads/columns-form.module.css'
import filterForm from './leads/filter-form.module.css'
import filtersInForce from './leads/filters-in-force.module.css'
import leadTable from './leads/lead-table.module.css'
import listBar from './leads/list-bar.module.css'
import savedViews from './leads/saved-views.module.css'
import searchForm from './leads/search-form.module.css'
import operatorsPage from './operators/operators-page.module.css'
import figures from './overview/figures.module.css'
import quarantine from './quarantine/quarantine-page.module.css'
import choices from './shell/choices.module.css'
import consolePage from './shell/console-page.module.css'
import controls from './shell/controls.module.css'
import dataTable from './shell/data-table.module.css'
import keys from './shell/keys.module.css'
import liveSwitch from './shell/live-switch.module.css'
import notice from './shell/notice.module.css'
import pageMessage from './shell/page-message.module.css'
import twoColumns from './shell/two-columns.module.css'
import signIn from './sign-in/sign-in-page.module.css'

/** Exported, as the bundler drops the stylesheet of a CSS module that nobody uses. */
export const serverOnly = [
  auditCells,
  field,
  keys,
  quarantine,
  figures,
  charts,
  deliveriesPage,
  columnsForm,
  filterForm,
  filtersInForce,
  leadTable,
  listBar,
  savedViews,
  searchForm,
  leadLink,
  leadPage,
  leadStatusMark,
  jobs,
  timeline,
  consolePage,
  choices,
  controls,
  dataTable,
  liveSwitch,
  notice,
  pageMessage,
  twoColumns,
  operatorsPage,
  signIn,
]
