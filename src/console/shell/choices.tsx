import { FieldError, fieldIds } from '#ui/field.tsx'
import styles from './choices.module.css'

interface Choice {
  readonly value: string
  readonly name: string
  /** What choosing it does. */
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
