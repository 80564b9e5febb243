import type { ComponentProps, ReactNode } from 'react'
import { FieldError, makeFieldIds, TextField } from '#ui/field.tsx'
import styles from './choices.module.css'
import controls from './controls.module.css'
import { Callout } from './message.tsx'
import { useFieldErrors, useShell } from './shell.tsx'

type Fields = Readonly<Record<string, string | undefined>>

interface PostFormProps extends Omit<ComponentProps<'form'>, 'method'> {
  action: string
  /** The hidden fields. The form leaves out a field with the value `undefined`. */
  fields?: Fields
}

/** A form that posts its fields and the form token. The console refuses a posted form without the token. */
export const PostForm = ({ fields, children, ...form }: PostFormProps) => (
  <form {...form} method="post">
    <HiddenFields fields={{ token: useShell().token, ...fields }} />
    {children}
  </form>
)

const HiddenFields = ({ fields }: { fields: Fields }) =>
  Object.entries(fields).map(
    ([name, value]) =>
      value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
  )

type ButtonVariant = 'button' | 'primary' | 'danger'

interface SubmitButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant | undefined
}

export const SubmitButton = ({ variant = 'button', ...button }: SubmitButtonProps) => (
  <button {...button} className={controls[variant]} type="submit" />
)

interface ButtonFormProps {
  action: string
  /** `get` for a form that only opens another page. */
  method?: 'get' | 'post'
  button: string
  /** The form's accessible name; by default the button's text. */
  name?: string
  id?: string
  fields?: Fields
  variant?: ButtonVariant | undefined
}

export function ButtonForm(props: ButtonFormProps) {
  const { action, method = 'post', button, name = button, id, fields = {}, variant } = props
  const token = useShell().token
  return (
    <form id={id} method={method} action={action} aria-label={name}>
      <HiddenFields fields={method === 'post' ? { token, ...fields } : fields} />
      <SubmitButton variant={variant}>{button}</SubmitButton>
    </form>
  )
}

/**
 * A button that replaces a form if the operator must first confirm their identity. The confirmation page leads back to
 * the current page.
 */
export const StepUpButton = ({ button }: { button: string }) => (
  <ButtonForm
    action="/confirm"
    method="get"
    button={button}
    fields={{ to: useShell().stepUpFor }}
  />
)

interface PasskeyFormProps {
  /** The path that receives the passkey's response. The same path with `/options` returns the options for the browser. */
  action: string
  /** Whether the form makes a new passkey instead of using a registered one. */
  isNew?: boolean
  button: string
  fields?: Fields
}

/** The form stays hidden until `passkey.ts` shows it. On submit, the script fills in the passkey's response. */
export const PasskeyForm = ({ action, isNew, button, fields }: PasskeyFormProps) => (
  <PostForm
    action={action}
    aria-label={button}
    data-passkey={isNew ? 'create' : 'get'}
    hidden
    fields={{ ...fields, answer: '' }}
  >
    <SubmitButton>{button}</SubmitButton>
    <p role="status" data-passkey-message="" />
  </PostForm>
)

interface ReasonFieldProps {
  label?: string
  isRequired?: boolean
  /** The reason that the operator typed, if the server refused the form. */
  value?: string | undefined
}

export const ReasonField = ({ label, isRequired = false, value = '' }: ReasonFieldProps) => (
  <TextField
    name="reason"
    label={label ?? 'Reason'}
    required={isRequired}
    type="text"
    autoComplete="off"
    hint={`${isRequired ? '' : 'Optional. '}The audit log keeps the reason permanently: don’t include names.`}
    error={useFieldErrors().reason}
    value={value}
  />
)

interface Choice {
  readonly value: string
  readonly name: string
  /** A sentence about what happens if the operator makes this choice. */
  readonly effect: ReactNode
}

interface RadioGroupProps {
  legend: string
  name: string
  choices: readonly Choice[]
  chosen: string | undefined
}

/** Asks for one of several choices. A single choice is a statement: there is nothing to choose. */
export const RadioGroup = ({ legend, name, choices, chosen }: RadioGroupProps) => {
  const error = useFieldErrors()[name]
  const ids = makeFieldIds(name, undefined, error)
  const [only, ...others] = choices
  if (only !== undefined && others.length === 0) {
    return (
      <p>
        <input type="hidden" name={name} value={only.value} />
        <b>{only.name}.</b> {only.effect}
      </p>
    )
  }
  return (
    <fieldset className={styles.choices} aria-describedby={ids.describedBy}>
      <legend>{legend}</legend>
      <FieldError name={name} error={error} />
      {choices.map((choice, index) => (
        <div key={choice.value} className={styles.choice}>
          <input
            type="radio"
            id={index === 0 ? ids.control : choice.value}
            name={name}
            value={choice.value}
            defaultChecked={choice.value === chosen}
            required
            aria-describedby={`${choice.value}-effect`}
          />
          <label htmlFor={index === 0 ? ids.control : choice.value}>{choice.name}</label>
          <p id={`${choice.value}-effect`}>{choice.effect}</p>
        </div>
      ))}
    </fieldset>
  )
}

interface OneTimeSecretProps {
  heading: string
  label: string
  secret: string
  children: ReactNode
}

/** Shows a secret once, ready to be copied. No later page shows this secret. */
export const OneTimeSecret = ({ heading, label, secret, children }: OneTimeSecretProps) => (
  <Callout kind="well" heading={heading}>
    <p id="secret-use">{children}</p>
    <div className={controls.secret}>
      <label className={controls.label} htmlFor="secret">
        {label}
      </label>
      <input
        className={controls.input}
        id="secret"
        type="text"
        readOnly
        value={secret}
        autoComplete="off"
        spellCheck={false}
        aria-describedby="secret-use"
        // biome-ignore lint/a11y/noAutofocus: the page that answers the form begins with the secret
        autoFocus
      />
      {/* forms.ts shows the button, because it needs the script. */}
      <button className={controls.button} type="button" data-copy="secret" hidden>
        Copy
      </button>
      <span role="status" />
    </div>
  </Callout>
)
