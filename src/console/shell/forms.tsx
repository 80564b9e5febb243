import type { ComponentProps, ReactNode } from 'react'
import { FieldError, makeFieldIds, TextField } from '#ui/field.tsx'
import styles from './choices.module.css'
import controls from './controls.module.css'

type Fields = Readonly<Record<string, string | undefined>>

interface PostFormProps extends Omit<ComponentProps<'form'>, 'method'> {
  action: string
  token: string
  fields?: Fields
}

/** The console refuses a posted form without its token, so all posted forms use this component. */
export const PostForm = ({ token, fields, children, ...form }: PostFormProps) => (
  <form {...form} method="post">
    <HiddenFields fields={{ token, ...fields }} />
    {children}
  </form>
)

const HiddenFields = ({ fields }: { fields: Fields }) =>
  Object.entries(fields).map(
    ([name, value]) =>
      value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
  )

type Look = 'button' | 'primary' | 'danger'

interface SubmitProps extends ComponentProps<'button'> {
  look?: Look | undefined
}

export const SubmitButton = ({ look = 'button', ...button }: SubmitProps) => (
  <button {...button} className={controls[look]} type="submit" />
)

interface ButtonFormProps {
  action: string
  /** The form's token; undefined for a form that only opens another page. */
  token?: string | undefined
  button: string
  /** The form's accessible name; by default the button's text. */
  name?: string
  id?: string
  fields?: Fields
  look?: Look | undefined
}

export function ButtonForm(props: ButtonFormProps) {
  const { action, token, button, name = button, id, fields = {}, look } = props
  return (
    <form id={id} method={token === undefined ? 'get' : 'post'} action={action} aria-label={name}>
      <HiddenFields fields={{ token, ...fields }} />
      <SubmitButton look={look}>{button}</SubmitButton>
    </form>
  )
}

interface StepUpButtonProps {
  returnTo: string
  button: string
}

/**
 * Replaces a form that needs a recent sign-in with a button that opens the confirmation page, which returns to the
 * form's page.
 */
export const StepUpButton = ({ returnTo, button }: StepUpButtonProps) => (
  <ButtonForm action="/confirm" button={button} fields={{ to: returnTo }} />
)

interface PasskeyFormProps {
  token: string
  /** The address that receives the passkey's response. The same address followed by `/options` returns the options. */
  action: string
  /** Whether the form asks for a known passkey or makes a new one. */
  does: 'get' | 'create'
  button: string
  fields?: Fields
}

/** A form that stays hidden without a script, because the passkey script shows it and fills in the response. */
export const PasskeyForm = ({ token, action, does, button, fields }: PasskeyFormProps) => (
  <PostForm
    action={action}
    aria-label={button}
    data-passkey={does}
    hidden
    token={token}
    fields={{ ...fields, answer: '' }}
  >
    <SubmitButton>{button}</SubmitButton>
    <p role="status" data-passkey-message="" />
  </PostForm>
)

interface ReasonFieldProps {
  label?: string
  isRequired?: boolean
  /** The value as the operator typed it, if the server refused the form. */
  value?: string | undefined
  error: string | undefined
}

export const ReasonField = ({ label, isRequired = false, value = '', error }: ReasonFieldProps) => (
  <TextField
    name="reason"
    label={label ?? 'Reason'}
    required={isRequired}
    type="text"
    autoComplete="off"
    hint={`${isRequired ? '' : 'Optional. '}Saved permanently in the audit log; don’t include names.`}
    error={error}
    value={value}
  />
)

interface Choice {
  readonly value: string
  readonly name: string
  /** A sentence about the choice's effect. */
  readonly does: ReactNode
}

interface RadioGroupProps {
  legend: string
  name: string
  choices: readonly Choice[]
  chosen: string | undefined
  error?: string | undefined
}

export const RadioGroup = ({ legend, name, choices, chosen, error }: RadioGroupProps) => {
  const ids = makeFieldIds(name, undefined, error)
  return (
    <fieldset className={styles.choices} aria-describedby={ids.describedBy}>
      <legend>{legend}</legend>
      <FieldError id={ids.error} error={error} />
      {choices.map((choice, index) => (
        <div key={choice.value} className={styles.choice}>
          <input
            type="radio"
            id={index === 0 ? ids.control : choice.value}
            name={name}
            value={choice.value}
            defaultChecked={choice.value === chosen}
            required
            aria-describedby={`${choice.value}-does`}
          />
          <label htmlFor={index === 0 ? ids.control : choice.value}>{choice.name}</label>
          <p id={`${choice.value}-does`}>{choice.does}</p>
        </div>
      ))}
    </fieldset>
  )
}
