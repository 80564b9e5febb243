import { createContext, type ReactNode, useContext } from 'react'
import { type ExplainedAction, missingRights } from '#domain/operator/missing-rights.ts'
import { type Action, isAllowed } from '#domain/operator/rights.ts'
import type { Role } from '#domain/operator/role.ts'
import type { ConsoleAssets } from './console-assets.ts'
import styles from './console-page.module.css'
import controls from './controls.module.css'
import { PostForm } from './forms.tsx'
import { KeyHint, KeysDialog } from './keys.tsx'
import liveSwitchStyles from './live-switch.module.css'
import { type Message, PageMessage } from './message.tsx'

/** The props of every page. */
export interface Shell {
  readonly assets: ConsoleAssets
  /** The page's own, without what follows the question mark. */
  readonly path: string
  /** The value that a form repeats: see {@link PostForm}. */
  readonly token: string
  /** Undefined while nobody is signed in. */
  readonly operator: { readonly email: string; readonly role: Role } | undefined
  /**
   * The page to return to once the operator has confirmed, where a form on it needs a sign-in that is more recent than theirs;
   * undefined where theirs is recent enough. See {@link ConfirmFirst}.
   */
  readonly confirmFor?: string | undefined
  /** False for the reply to a posted form: the same address would show something else. */
  readonly canRefresh?: boolean
  /** False in production, where operators have other commands. */
  readonly isDemo?: boolean
}

interface ConsolePageProps {
  shell: Shell
  /** The page's heading. */
  name: string
  /** The page's title, if not its heading: the browser keeps titles in its history, so it never names a person. */
  title?: string
  /** The page's actions, beside the heading. */
  actions?: ReactNode
  /** At the other end of the heading's line: what is found from here. */
  beside?: ReactNode
  /** Brings the passkeys' script. */
  hasPasskeys?: boolean
  /** While somebody looks at it, the page refreshes itself after each change: see refresh-page.ts. */
  isLive?: boolean
  /** The result of the request: the title names a problem too. */
  message?: Message | undefined
  children: ReactNode
}

/** The shell around each page: where one is, where one can go, who one is. */
export function ConsolePage(props: ConsolePageProps) {
  const {
    shell,
    name,
    title = name,
    actions,
    beside,
    hasPasskeys = false,
    isLive = false,
    message,
    children,
  } = props
  const { assets, operator } = shell
  const scripts = [
    ...assets.developmentScripts,
    ...[assets.pageScript, hasPasskeys ? assets.passkeyScript : undefined].filter(
      (script) => script !== undefined,
    ),
  ]
  return (
    <IsDemo value={shell.isDemo ?? true}>
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
            {operator && (
              <>
                <button className={styles.fold} type="button" popoverTarget="menu">
                  Menu
                </button>
                <Nav shell={shell} {...operator} />
                <SignedIn name="Signed in" shell={shell} email={operator.email} />
              </>
            )}
          </header>
          <main id="main" className={operator ? styles.main : styles.alone}>
            <div className={styles.heading}>
              <h1>{name}</h1>
              {isLive && shell.canRefresh && <LiveSwitch />}
              {actions && <div>{actions}</div>}
              {beside}
            </div>
            {message && <PageMessage message={message} />}
            {children}
          </main>
          {operator && (
            <footer className={styles.footer}>
              <a href="/keys">
                Keys
                <KeyHint of="?" />
              </a>
            </footer>
          )}
          {operator && shell.path !== '/keys' && <KeysDialog />}
        </body>
      </html>
    </IsDemo>
  )
}

/**
 * In the header, where it has the room. With large type on a phone it folds behind a button,
 * together with the operator's name; this needs no script.
 */
function Nav({ shell, role, email }: { shell: Shell; role: Role; email: string }) {
  return (
    <nav className={styles.nav} id="menu" popover="auto" aria-label="Console">
      <ul>
        {navFor(role).map((entry) => (
          <li key={entry.path}>
            <a href={entry.path} aria-current={currentAt(entry.path, shell.path)}>
              {entry.name}
            </a>
          </li>
        ))}
      </ul>
      <div className={styles.folded}>
        <SignedIn name="Signed in, in the menu" shell={shell} email={email} />{' '}
        <button type="button" popoverTarget="menu" popoverTargetAction="hide">
          Close the menu
        </button>
      </div>
    </nav>
  )
}

/** A page below another one, as a lead below the leads, shows where it belongs. */
function currentAt(entry: string, path: string): 'page' | 'true' | undefined {
  if (entry === path) return 'page'
  return entry !== '/' && path.startsWith(`${entry}/`) ? 'true' : undefined
}

function SignedIn({ name, shell, email }: { name: string; shell: Shell; email: string }) {
  return (
    <PostForm className={styles.signedIn} action="/sign-out" aria-label={name} token={shell.token}>
      <a href="/account" aria-current={currentAt('/account', shell.path)}>
        {email}
      </a>
      <button type="submit">Sign out</button>
    </PostForm>
  )
}

interface NavEntry {
  readonly path: string
  readonly name: string
  /** An operator without the right does not see the link. */
  readonly action: Action
}

/** The console's pages, in the order in which an operator needs them. A page enters once it is there. */
const entries: readonly NavEntry[] = [
  { path: '/', name: 'Overview', action: 'see the overview' },
  { path: '/leads', name: 'Leads', action: 'see leads' },
  { path: '/deliveries', name: 'Deliveries', action: 'see deliveries' },
  { path: '/quarantine', name: 'Quarantine', action: 'see leads' },
  { path: '/jobs', name: 'Jobs', action: 'see jobs' },
  { path: '/audit', name: 'Audit', action: 'see the audit' },
  { path: '/operators', name: 'Operators', action: 'see operators' },
]

export const navFor = (role: Role): readonly NavEntry[] =>
  entries.filter(({ action }) => isAllowed(role, action))

/** Shown by the page's script, which keeps the page up to date. Without one, the page stays as it was loaded. */
export const LiveSwitch = () => (
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
    <span className={liveSwitchStyles.said} aria-live="polite" data-live-state="" />
  </p>
)

/** Stands right before a list that is followed, and keeps its room: how many rows would come, shown and announced once. */
export const ListNews = ({ href }: { href: string }) => (
  <div className={liveSwitchStyles.news} role="status">
    <a href={href} hidden>
      Show what is new
    </a>
  </div>
)

interface MessagePageProps {
  shell: Shell
  name: string
  text: string
}

/** The content of a page that only says what happened, what was kept, what to do. */
export const MessagePage = ({ shell, name, text }: MessagePageProps) => (
  <ConsolePage shell={shell} name={name}>
    <p>{text}</p>
    <p>
      <a href="/">Back to the overview</a>
    </p>
  </ConsolePage>
)

/** Whether this is a demo in a clone, where npm runs the command, or an installed production system. */
export const IsDemo = createContext(true)

/** The command line as it works here: `npm run leads -- show` in a clone, `sudo leads show` where it is installed (deploy/leads). */
export function LeadsCommand({ verb }: { verb: string }) {
  return <code>{`${useContext(IsDemo) ? 'npm run leads --' : 'sudo leads'} ${verb}`}</code>
}

/** For a page whose button the operator does not see: who has the right. */
export function MissingRights({ shell, of }: { shell: Shell; of: readonly ExplainedAction[] }) {
  const said = missingRights(shell.operator?.role ?? 'viewer', of)
  return said === undefined ? null : <p className={controls.missing}>{said}</p>
}
