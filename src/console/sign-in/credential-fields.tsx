import { TextField } from '#ui/field.tsx'
import controls from '../shell/controls.module.css'
import styles from './sign-in-page.module.css'

interface PasswordFieldProps {
  /** Whether the field is for a new password, which browsers then suggest. */
  isNew?: boolean
  label?: string
  error?: string | undefined
}

export const PasswordField = ({ isNew = false, label = 'Password', error }: PasswordFieldProps) => (
  <TextField
    name="password"
    label={label}
    type="password"
    autoComplete={isNew ? 'new-password' : 'current-password'}
    {...(isNew ? { hint: '12 characters or more. A few words are easiest to remember.' } : {})}
    error={error}
    value=""
  />
)

interface SingleSignOnLinkProps {
  text: string
  href: string
}

/** A link rather than a form, because the content security policy forbids forms that lead to the provider. */
export const SingleSignOnLink = ({ text, href }: SingleSignOnLinkProps) => (
  <p className={styles.way}>
    <a className={controls.button} href={href}>
      {text}
    </a>
  </p>
)
