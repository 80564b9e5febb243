import type { ReactNode } from 'react'
import { isAllowed, type Permission, type Role } from '#domain/operator/permissions.ts'
import styles from './console-page.module.css'
import { PostForm } from './forms.tsx'
import liveSwitchStyles from './live-switch.module.css'
import { MessageBanner, TextWithLinks } from './message.tsx'
import { useShell } from './shell.tsx'

interface ConsolePageProps {
  name: string
  /** The page's title, if it differs from the heading. Browsers keep titles in their history, so no title names a person. */
  title?: string
  actions?: ReactNode
  /** Whether the page loads the script for passkeys. */
  hasPasskeys?: boolean
  /** Whether `live-updates.ts` refreshes the page after each change of the stored data. */
  isLive?: boolean
  /** Whether an earlier request's success is no longer news: the page doesn't show it, and a live update removes it. */
  endsMessage?: boolean
  children: ReactNode
}

export function ConsolePage(props: ConsolePageProps) {
  const { name, title = name, actions, isLive, children } = props
  const { assets, operator, canRefresh, version, zone, ...shell } = useShell()
  const isOver = props.endsMessage && shell.message?.kind === 'well'
  const message = isOver ? undefined : shell.message
  const scripts = [
    ...(assets.developmentScripts ?? []),
    assets.pageScript,
    props.hasPasskeys ? assets.passkeyScript : undefined,
  ].filter((script) => script !== undefined)
  return (
    <html lang="en-US">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${message?.kind === 'problem' ? 'Error: ' : ''}${title} | Campus Enquiry console`}</title>
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        {assets.styles !== '' && <style>{assets.styles}</style>}
        {scripts.map((src) => (
          <script key={src} type="module" src={src} />
        ))}
      </head>
      <body className={styles.body}>
        <header className={styles.header}>
          <a className="skip-link" href="#main">
            Skip to main content
          </a>
          <p className={styles.product}>
            Campus Enquiry <span className={styles.quiet}>console</span>
          </p>
          {operator && <NavBar {...operator} />}
        </header>
        <main id="main" className={operator ? styles.main : styles.alone}>
          <div className={styles.heading}>
            <h1>{name}</h1>
            {isLive && canRefresh && <LiveSwitch />}
            {actions}
          </div>
          {/* The server sends the message only once, so a live update must not remove it. */}
          <div
            id="messages"
            data-not-printed=""
            data-live-keep=""
            data-live-replace={props.endsMessage ? '' : undefined}
          >
            {message && <MessageBanner message={message} />}
          </div>
          {children}
        </main>
        {operator && (
          <footer className={styles.footer}>
            Times and days are in the school’s time zone, {zone}. Campus Enquiry {version}
          </footer>
        )}
      </body>
    </html>
  )
}

/**
 * Links to the pages that the role may see, and to the operator's account. The menu *More* contains the pages that
 * operators open less often, except the current page. On a phone the links are one row that scrolls.
 */
function NavBar({ role, email }: { role: Role; email: string }) {
  const current = useShell().path
  const isInRow = (entry: NavEntry) =>
    frequentEntries.includes(entry) || toAriaCurrent(entry[0], current) !== undefined
  const allowed = listNavEntries(role)
  const more = allowed.filter((entry) => !isInRow(entry))
  return (
    <div className={styles.nav}>
      <nav aria-label="Console">
        <ul>
          <NavLinks entries={allowed.filter(isInRow)} current={current} />
          {more.length > 0 && (
            <li>
              <details className={styles.more}>
                <summary>More</summary>
                <ul>
                  <NavLinks entries={more} current={current} />
                </ul>
              </details>
            </li>
          )}
        </ul>
      </nav>
      <PostForm className={styles.signedIn} action="/sign-out" aria-label="Signed in">
        <a href="/account" aria-current={toAriaCurrent('/account', current)}>
          {email}
        </a>
        <button type="submit">Sign out</button>
      </PostForm>
    </div>
  )
}

const NavLinks = ({ entries, current }: { entries: readonly NavEntry[]; current: string }) =>
  entries.map(([path, name]) => (
    <li key={path}>
      <a href={path} aria-current={toAriaCurrent(path, current)}>
        {name}
      </a>
    </li>
  ))

/** Returns a link's `aria-current`, which is `page` on the link's own page and `true` on a page below it. */
function toAriaCurrent(entry: string, path: string): 'page' | 'true' | undefined {
  if (entry === path) return 'page'
  return entry !== '/' && path.startsWith(`${entry}/`) ? 'true' : undefined
}

type NavEntry = readonly [path: string, name: string, action: Permission]

const frequentEntries: readonly NavEntry[] = [
  ['/', 'Overview', 'see the overview'],
  ['/leads', 'Leads', 'see leads'],
  ['/deliveries', 'Deliveries', 'see deliveries'],
  ['/quarantine', 'Quarantine', 'see leads'],
  ['/funnel', 'Funnel', 'see the funnel'],
  ['/affiliates', 'Affiliates', 'see affiliates'],
  ['/jobs', 'Jobs', 'see jobs'],
]

const moreEntries: readonly NavEntry[] = [
  ['/statements', 'Statements', 'see statements'],
  ['/spend', 'Ad spend', 'see ad spend'],
  ['/returns', 'Returns', 'see returns'],
  ['/caps', 'Caps', 'see caps'],
  ['/do-not-contact', 'Do not contact', 'see do not contact'],
  ['/webhooks', 'Webhooks', 'see webhooks'],
  ['/audit', 'Audit', 'see the audit log'],
  ['/operators', 'Operators', 'see operators'],
]

export const listNavEntries = (role: Role): readonly NavEntry[] =>
  [...frequentEntries, ...moreEntries].filter(([, , action]) => isAllowed(role, action))

/** The switch for live updates, which is hidden until `live-updates.ts` shows it. */
const LiveSwitch = () => (
  <p
    className={liveSwitchStyles.live}
    id="live-switch"
    data-live-switch=""
    data-zone={useShell().zone}
    data-live-keep=""
    hidden
  >
    <button className={liveSwitchStyles.switch} type="button" aria-pressed="true">
      Live updates
    </button>{' '}
    <span className={liveSwitchStyles.state} aria-live="polite" data-live-state="" />
  </p>
)

/** Shows an error, with a link to the list that the page belongs to if the operator may see the list. */
export function ErrorPage({ name, text }: { name: string; text: string }) {
  const { path, operator } = useShell()
  const [list, listName] = (operator ? listNavEntries(operator.role) : []).find(
    ([entry]) => entry !== '/' && (path === entry || path.startsWith(`${entry}/`)),
  ) ?? ['/', 'the overview']
  return (
    <ConsolePage name={name}>
      <p>
        <TextWithLinks text={text} />
      </p>
      <p>
        <a href={list}>Back to {listName}</a>
      </p>
    </ConsolePage>
  )
}
