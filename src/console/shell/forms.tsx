import type { ComponentProps } from 'react'
import { FieldError, fieldIds } from '#ui/field.tsx'
import styles from './choices.module.css'
import controls from './controls.module.css'

interface PostFormProps extends Omit<ComponentProps<'form'>, 'method'> {
  action: string
  token: string
}

/** Every form that is posted: without its token the console takes nothing. */
export const PostForm = ({ token, children, ...form }: PostFormProps) => (
  <form {...form} method="post">
    <input type="hidden" name="token" value={token} />
    {children}
  </form>
)

interface PasskeyFormProps {
  token: string
  /** Where its answer is posted; its options lie at the same address followed by `/options`. */
  action: string
  /** Asks for one that is known, or makes a new one. */
  does: 'get' | 'create'
  button: string
  /** The fields posted with it: an invitation's code, the page to return to. */
  fields?: Readonly<Record<string, string>>
}

/** Shown by the passkeys' script, which fills in the answer: without a script there are no passkeys. */
export const PasskeyForm = ({ token, action, does, button, fields = {} }: PasskeyFormProps) => (
  <PostForm action={action} aria-label={button} data-passkey={does} hidden token={token}>
    {Object.entries(fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <input type="hidden" name="answer" />
    <button className={controls.button} type="submit">
      {button}
    </button>
    <p role="status" data-said="" />
  </PostForm>
)

interface Choice {
  readonly value: string
  readonly name: string
  /** The effect of choosing it. */
  readonly does: string
}

interface ChoicesProps {
  legend: string
  name: string
  choices: readonly Choice[]
  chosen: string | undefined
  error: string | undefined
}

/** One of a few, each with what it does; the whole of each is its label. */
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
