import type { ReactNode } from 'react'
import type { Role } from '#domain/operator/role.ts'
import { KeyHint } from '../keys/key-hint.tsx'
import { KeysDialog } from '../keys/keys-dialog.tsx'
import type { ConsoleAssets } from './console-assets.ts'
import styles from './console-page.module.css'
import { IsDemo } from './leads-command.tsx'
import { LiveSwitch } from './live-switch.tsx'
import { navFor } from './nav.ts'
import { type Message, PageMessage } from './page-message.tsx'
import { PostForm } from './post-form.tsx'

/** What every page is told, whatever it shows. */
export interface Shell {
  readonly assets: ConsoleAssets
  /** The page's own, without what follows the question mark. */
  readonly path: string
  /** What a form repeats: see {@link PostForm}. */
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
  /** The page's heading, and its title: never a person's. */
  name: string
  /** Beside the heading: what is done on this page. */
  actions?: ReactNode
  /** At the other end of the heading's line: what is found from here. */
  beside?: ReactNode
  /** Brings the passkeys' script. */
  hasPasskeys?: boolean
  /** While somebody looks at it, the page refreshes itself after each change: see refresh-page.ts. */
  isLive?: boolean
  /** What came of the request: a problem is named in the title, too. */
  message?: Message | undefined
  children: ReactNode
}

/** The shell around each page: where one is, where one can go, who one is. */
export function ConsolePage(props: ConsolePageProps) {
  const {
    shell,
    name,
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
          <title>{`${message?.kind === 'problem' ? 'Error: ' : ''}${name} | Campus Enquiry console`}</title>
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
 * In the header, where it has the room. With large type on a phone it folds behind a button, together with who is signed in,
 * which no script is needed for.
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
