import controls from '../shell/controls.module.css'
import { Notice } from '../shell/message.tsx'
import { Moment } from '../shell/times.tsx'
import styles from './operators-page.module.css'

export interface MadeLinkProps {
  readonly email: string
  readonly link: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** An invitation that was just made. A field is selected whole by the key that leads to it, and by a script when it is clicked. */
export const MadeLink = ({ email, link, expiresAt }: MadeLinkProps) => (
  <Notice kind="well" heading={`The invitation of ${email}`}>
    <p id="link-holds">
      Send this link to them alone. It is good once, until <Moment at={expiresAt} /> (24 hours), and
      is not shown again: if it is lost, <b>Invite again</b> in the list makes another one.
    </p>
    <div className={controls.row} data-copy="">
      <div className={styles.link}>
        <label className={controls.label} htmlFor="link">
          The link
        </label>
        <input
          className={controls.input}
          id="link"
          type="text"
          readOnly
          value={link}
          autoComplete="off"
          spellCheck={false}
          aria-describedby="link-holds"
          // biome-ignore lint/a11y/noAutofocus: the page that answers the form begins with the link to send
          autoFocus
        />
      </div>
      {/* By a script alone, which shows it. */}
      <button className={controls.button} type="button" hidden>
        Copy
      </button>
      <p className={styles.copied} role="status" />
    </div>
  </Notice>
)
