import type { AffiliateErrors, AffiliateTexts } from '#domain/affiliate/affiliate.ts'
import { Field, makeFieldIds, TextField } from '#ui/field.tsx'
import { type ConsoleShell, isActionAllowed } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { PostForm, StepUpButton, SubmitButton } from '../shell/forms.tsx'
import styles from './affiliates.module.css'

export interface AffiliateFormProps {
  shell: ConsoleShell
  action: string
  name: string
  button: string
  typed: AffiliateTexts
  errors: AffiliateErrors | undefined
}

const fields = [
  { name: 'name', label: 'Name' },
  {
    name: 'ids',
    label: 'Affiliate ids',
    isLong: true,
    hint: 'One per line, exactly as in the links, with the same capital letters.',
  },
  {
    name: 'payout',
    label: 'Payout per lead',
    hint: 'Optional. US dollars for each lead that is neither a duplicate nor in quarantine.',
  },
  {
    name: 'postback',
    label: 'Postback URL',
    hint: 'Optional. An https address that is told about results, with macros such as {click_id}, {event} and {payout}.',
  },
  {
    name: 'notes',
    label: 'Notes',
    isLong: true,
    hint: 'Optional. All operators see them.',
  },
] as const

/** Adds or changes an affiliate, if the operator may do so, after a recent sign-in. */
export function AffiliateForm({ shell, action, name, button, typed, errors }: AffiliateFormProps) {
  if (!isActionAllowed(shell, 'change affiliates')) return null
  if (shell.confirmFor !== undefined) {
    return (
      <StepUpButton returnTo={shell.confirmFor} button="Confirm it’s you to change affiliates" />
    )
  }
  return (
    <PostForm className={controls.narrow} action={action} aria-label={name} token={shell.token}>
      {fields.map((field) => {
        const error = errors?.[field.name]
        const value = typed[field.name]
        const ids = makeFieldIds(field.name, 'hint', error)
        return 'isLong' in field ? (
          <Field key={field.name} {...field} error={error}>
            <textarea
              className={`${controls.input} ${styles.text}`}
              id={ids.control}
              name={field.name}
              rows={4}
              defaultValue={value}
              aria-invalid={error !== undefined}
              aria-describedby={ids.describedBy}
            />
          </Field>
        ) : (
          <TextField
            key={field.name}
            {...field}
            required={field.name === 'name'}
            type="text"
            autoComplete="off"
            error={error}
            value={value}
          />
        )
      })}
      <SubmitButton look="primary">{button}</SubmitButton>
    </PostForm>
  )
}
