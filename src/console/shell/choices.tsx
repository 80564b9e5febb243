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
}

/** One of a few, each with what it does; the whole of each is its label. */
export const Choices = ({ legend, name, choices, chosen }: ChoicesProps) => (
  <fieldset className={styles.choices}>
    <legend>{legend}</legend>
    {choices.map((choice) => (
      <div key={choice.value} className={styles.choice}>
        <input
          type="radio"
          id={choice.value}
          name={name}
          value={choice.value}
          defaultChecked={choice.value === chosen}
          required
          aria-describedby={`${choice.value}-does`}
        />
        <label htmlFor={choice.value}>{choice.name}</label>
        <p id={`${choice.value}-does`}>{choice.does}</p>
      </div>
    ))}
  </fieldset>
)
