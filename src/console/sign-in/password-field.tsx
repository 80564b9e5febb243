import { TextField } from '#ui/text-field.tsx'

interface PasswordFieldProps {
  /** A new one is made by the browser, if it may. */
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
