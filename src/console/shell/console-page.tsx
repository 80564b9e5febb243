import { createContext, type ReactNode, useContext } from 'react'
import { type Action, isAllowed, type Role } from '#domain/operator/rights.ts'
import type { ConsoleAssets } from './console-assets.ts'
import styles from './console-page.module.css'
import { PostForm } from './forms.tsx'
import liveSwitchStyles from './live-switch.module.css'
import { type Message, PageMessage } from './message.tsx'

export interface ConsoleShell {
  readonly assets: ConsoleAssets
  /** The address of the page without its query. */
  readonly path: string
  /** The token that forms are posted with; see {@link PostForm}. */
  readonly token: string
  /** The signed-in operator; undefined if nobody is signed in. */
  readonly operator: { readonly email: string; readonly role: Role } | undefined
  /** The page to return to after {@link StepUpButton}; undefined if the operator signed in recently. */
  readonly stepUpFor?: string | undefined
  /** False for the reply to a posted form: reloading its address would show another page. */
  readonly canRefresh?: boolean
  readonly isDemo?: boolean
}

interface ConsolePageProps {
  shell: ConsoleShell
  name: string
  /** The page's title, if it differs from the heading. The browser keeps titles in its history, so they never name a person. */
  title?: string
  actions?: ReactNode
  /** Content at the right end of the heading's line. */
  beside?: ReactNode
  hasPasskeys?: boolean
  /** Whether the page refreshes itself after each change: see refresh-page.ts. */
  isLive?: boolean
  /** The result of the request. A problem also puts `Error:` before the page's title. */
  message?: Message | undefined
  children: ReactNode
}

export function ConsolePage(props: ConsolePageProps) {
  const { shell, name, title = name, actions, beside, isLive, message, children } = props
  const { assets, operator } = shell
  const scripts = [
    ...assets.developmentScripts,
    assets.pageScript,
    props.hasPasskeys ? assets.passkeyScript : undefined,
  ].filter((script) => script !== undefined)
  return (
    <IsDemoContext value={shell.isDemo ?? true}>
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
            {operator && <NavBar shell={shell} {...operator} />}
          </header>
          <main id="main" className={operator ? styles.main : styles.alone}>
            <div className={styles.heading}>
              <h1>{name}</h1>
              {isLive && shell.canRefresh && <LiveSwitch />}
              {actions && <div>{actions}</div>}
              {beside}
            </div>
            {/* A refresh keeps the message, although the fetched page lacks it. */}
            <div id="messages" data-live-keep="">
              {message && <PageMessage message={message} />}
            </div>
            {children}
          </main>
        </body>
      </html>
    </IsDemoContext>
  )
}

/**
 * Links to the pages that the role may see, and to the operator's account. Less frequent pages are in the menu *More*,
 * except the current one. On a phone the links are one row that scrolls.
 */
function NavBar({ shell, role, email }: { shell: ConsoleShell; role: Role; email: string }) {
  const isInRow = ({ path, isFrequent }: NavEntry) =>
    isFrequent || toAriaCurrent(path, shell.path) !== undefined
  const allowed = listNavEntries(role)
  const more = allowed.filter((entry) => !isInRow(entry))
  return (
    <div className={styles.nav}>
      <nav aria-label="Console">
        <ul>
          <NavLinks entries={allowed.filter(isInRow)} current={shell.path} />
          {more.length > 0 && (
            <li>
              <details className={styles.more}>
                <summary>More</summary>
                <ul>
                  <NavLinks entries={more} current={shell.path} />
                </ul>
              </details>
            </li>
          )}
        </ul>
      </nav>
      <PostForm
        className={styles.signedIn}
        action="/sign-out"
        aria-label="Signed in"
        token={shell.token}
      >
        <a href="/account" aria-current={toAriaCurrent('/account', shell.path)}>
          {email}
        </a>
        <button type="submit">Sign out</button>
      </PostForm>
    </div>
  )
}

const NavLinks = ({ entries, current }: { entries: readonly NavEntry[]; current: string }) =>
  entries.map(({ path, name }) => (
    <li key={path}>
      <a href={path} aria-current={toAriaCurrent(path, current)}>
        {name}
      </a>
    </li>
  ))

/** Marks the navigation entry of the current page or of its parent page: a lead's page belongs to Leads. */
function toAriaCurrent(entry: string, path: string): 'page' | 'true' | undefined {
  if (entry === path) return 'page'
  return entry !== '/' && path.startsWith(`${entry}/`) ? 'true' : undefined
}

interface NavEntry {
  readonly path: string
  readonly name: string
  readonly isFrequent: boolean
}

/** Each entry of the navigation requires the permission to see its page. */
const frequentEntries: readonly (readonly [path: string, name: string, action: Action])[] = [
  ['/', 'Overview', 'see the overview'],
  ['/leads', 'Leads', 'see leads'],
  ['/deliveries', 'Deliveries', 'see deliveries'],
  ['/quarantine', 'Quarantine', 'see leads'],
  ['/funnel', 'Funnel', 'see the funnel'],
  ['/affiliates', 'Affiliates', 'see affiliates'],
  ['/jobs', 'Jobs', 'see jobs'],
]

const moreEntries: typeof frequentEntries = [
  ['/returns', 'Returns', 'see returns'],
  ['/caps', 'Caps', 'see caps'],
  ['/webhooks', 'Webhooks', 'see webhooks'],
  ['/audit', 'Audit', 'see the audit'],
  ['/operators', 'Operators', 'see operators'],
]

export const listNavEntries = (role: Role): readonly NavEntry[] =>
  [...frequentEntries, ...moreEntries]
    .filter(([, , action]) => isAllowed(role, action))
    .map((entry) => ({
      path: entry[0],
      name: entry[1],
      isFrequent: frequentEntries.includes(entry),
    }))

/** A page without a session shows only what a viewer may see. */
export const isActionAllowed = ({ operator }: ConsoleShell, action: Action): boolean =>
  isAllowed(operator?.role ?? 'viewer', action)

/** The switch for live updates, hidden until `live-updates.ts` shows it. */
const LiveSwitch = () => (
  <p
    className={liveSwitchStyles.live}
    id="live-switch"
    data-live-switch=""
    data-live-keep=""
    hidden
  >
    <button className={liveSwitchStyles.switch} type="button" aria-pressed="true">
      Live updates
    </button>{' '}
    <span className={liveSwitchStyles.state} aria-live="polite" data-live-state="" />
  </p>
)

export const MessagePage = ({
  shell,
  name,
  text,
}: {
  shell: ConsoleShell
  name: string
  text: string
}) => (
  <ConsolePage shell={shell} name={name}>
    <p>{text}</p>
    <p>
      <a href="/">Back to the overview</a>
    </p>
  </ConsolePage>
)

/** Whether this is a demo in a clone, where npm runs the command, rather than an installed production system. */
export const IsDemoContext = createContext(true)

/** Writes a command as operators type it: `npm run leads -- show` in a clone, `sudo leads show` in an installation (deploy/leads). */
export function LeadsCommand({ verb }: { verb: string }) {
  return <code>{`${useContext(IsDemoContext) ? 'npm run leads --' : 'sudo leads'} ${verb}`}</code>
}
