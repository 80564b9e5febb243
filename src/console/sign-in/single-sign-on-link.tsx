import controls from '../shell/controls.module.css'
import styles from './sign-in-page.module.css'

interface SingleSignOnLinkProps {
  /** What it does, with the provider's name. */
  text: string
  href: string
}

/** A link, no form: what a form leads to the policy wants named, and the provider's addresses are its own. */
export const SingleSignOnLink = ({ text, href }: SingleSignOnLinkProps) => (
  <p className={styles.way}>
    <a className={controls.button} href={href}>
      {text}
    </a>
  </p>
)
