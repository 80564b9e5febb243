import controls from '../shell/controls.module.css'

export interface ActFormProps {
  /** What is listed, as names and values in an address. */
  parts: readonly (readonly [name: string, value: string])[]
}

/** To all that the filter means, however many: what is to be done is asked next, and planned before it is done. */
export const ActForm = ({ parts }: ActFormProps) => (
  <form method="get" action="/jobs/new" aria-label="All of these leads">
    {parts.map(([name, value]) => (
      <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
    ))}
    <button className={controls.button} type="submit">
      Act on these…
    </button>
  </form>
)
