import { notSold } from '#content/messages.ts'
import styles from './not-sold-note.module.css'

/**
 * Shown to a visitor whose browser sends Global Privacy Control. It stands below the form's card, outside of what the
 * browser hydrates: it is there on every step and beside the thanks, with and without JavaScript, at no byte of script.
 */
export function NotSoldNote({ school }: { school: string }) {
  return (
    <p className={styles.note}>
      {notSold.heard} {notSold.meaning(school)}{' '}
      <a href="/information/privacy-policy#cookies">{notSold.more}</a>
    </p>
  )
}
