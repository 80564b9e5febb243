import controls from '#console/shell/controls.module.css'
import { useFieldErrors } from '#console/shell/shell.tsx'
import { TextField } from '#ui/field.tsx'
import styles from './sign-in-page.module.css'

interface PasswordFieldProps {
  /** Whether the operator chooses a new password, which the browser can then suggest. */
  isNew?: boolean
  label?: string
}

export const PasswordField = ({ isNew = false, label = 'Password' }: PasswordFieldProps) => (
  <TextField
    name="password"
    label={label}
    type="password"
    autoComplete={isNew ? 'new-password' : 'current-password'}
    {...(isNew ? { hint: '12 characters or more. A few words are easiest to remember.' } : {})}
    error={useFieldErrors().password}
    value=""
  />
)

/** The single sign-on provider, with the URL that begins the sign-in. */
export interface SingleSignOnProvider {
  readonly name: string
  readonly href: string
}

interface SingleSignOnLinkProps {
  provider: SingleSignOnProvider
  verb: 'Sign in' | 'Confirm'
}

/** This is a link instead of a form, because the content security policy forbids forms that lead to the provider. */
export const SingleSignOnLink = ({ provider: { name, href }, verb }: SingleSignOnLinkProps) => (
  <p className={styles.method}>
    <a className={controls.button} href={href}>
      {verb} with {name}
    </a>
  </p>
)
