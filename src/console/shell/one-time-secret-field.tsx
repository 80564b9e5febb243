import controls from './controls.module.css'

interface ShownOnceProps {
  id: string
  label: string
  value: string
  /** The id of the text that says what the value is for. */
  describedBy: string
}

/** Shows a secret that no later page shows, ready to be copied. */
export const OneTimeSecretField = ({ id, label, value, describedBy }: ShownOnceProps) => (
  <>
    <label className={controls.label} htmlFor={id}>
      {label}
    </label>
    <input
      className={`${controls.input} ${controls.shownOnce}`}
      id={id}
      type="text"
      readOnly
      value={value}
      autoComplete="off"
      spellCheck={false}
      aria-describedby={describedBy}
      // biome-ignore lint/a11y/noAutofocus: the page that answers the form begins with the value to copy
      autoFocus
    />
  </>
)
