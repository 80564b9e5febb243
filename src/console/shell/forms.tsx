import type { ComponentProps, ReactNode } from 'react'
import { FieldError, fieldIds, TextField } from '#ui/field.tsx'
import styles from './choices.module.css'
import controls from './controls.module.css'

type Fields = Readonly<Record<string, string | undefined>>

interface PostFormProps extends Omit<ComponentProps<'form'>, 'method'> {
  action: string
  token: string
  /** Posted with it, unseen. */
  fields?: Fields
}

/** Every form that is posted: the console refuses one without its token. */
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
  look?: Look
  /** The key that presses it. */
  hotkey?: string | undefined
}

export const Submit = ({ look = 'button', hotkey, children, ...button }: SubmitProps) => (
  <button {...button} className={controls[look]} type="submit" data-hotkey={hotkey}>
    {children}
    {hotkey !== undefined && <KeyHint of={hotkey} />}
  </button>
)

/** Shows the key beside a button's words where keys act. The button's name stays without it. */
export const KeyHint = ({ of }: { of: string }) => (
  <span aria-hidden="true" data-key-hint="">
    {of}
  </span>
)

interface ButtonFormProps {
  action: string
  /** Undefined for a form that only leads to another page. */
  token?: string | undefined
  button: string
  /** Its accessible name, if not the button's words. */
  name?: string
  id?: string
  fields?: Fields
  look?: Look
  hotkey?: string | undefined
}

/** A form that has only a button. */
export function ButtonForm(props: ButtonFormProps) {
  const { action, token, button, name = button, id, fields = {}, look, hotkey } = props
  return (
    <form id={id} method={token === undefined ? 'get' : 'post'} action={action} aria-label={name}>
      <HiddenFields fields={{ token, ...fields }} />
      <Submit look={look} hotkey={hotkey}>
        {button}
      </Submit>
    </form>
  )
}

interface ConfirmFirstProps {
  /** The page to return to. */
  returnTo: string
  button: string
}

/** Stands in for a form that needs a recent sign-in: leads to the confirmation, and back to the page with the form. */
export const ConfirmFirst = ({ returnTo, button }: ConfirmFirstProps) => (
  <ButtonForm action="/confirm" button={button} fields={{ to: returnTo }} />
)

interface PasskeyFormProps {
  token: string
  /** The address for its answer; its options are at the same address followed by `/options`. */
  action: string
  /** Whether to ask for a known passkey or to make a new one. */
  does: 'get' | 'create'
  button: string
  fields?: Fields
}

/** Shown by the passkeys' script, which fills in the answer: without a script there are no passkeys. */
export const PasskeyForm = ({ token, action, does, button, fields }: PasskeyFormProps) => (
  <PostForm
    action={action}
    aria-label={button}
    data-passkey={does}
    hidden
    token={token}
    fields={{ ...fields, answer: '' }}
  >
    <Submit>{button}</Submit>
    <p role="status" data-said="" />
  </PostForm>
)

interface ReasonFieldProps {
  label?: string
  isRequired?: boolean
  /** As typed, if the form was refused. */
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
  /** The effect of choosing it. */
  readonly does: ReactNode
}

interface ChoicesProps {
  legend: string
  name: string
  choices: readonly Choice[]
  chosen: string | undefined
  error: string | undefined
}

/** A choice of one, each with its effect. */
export const Choices = ({ legend, name, choices, chosen, error }: ChoicesProps) => {
  const ids = fieldIds(name, undefined, error)
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
