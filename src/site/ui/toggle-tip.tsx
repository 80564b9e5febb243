import styles from './toggle-tip.module.css'

interface ToggleTipProps {
  id: string
  /** The id of what it belongs to: read out after the button's own name. */
  about: string
  text: string
}

/** A question mark that says why something is asked. The browser opens and closes it, so it works without JavaScript. */
export function ToggleTip({ id, about, text }: ToggleTipProps) {
  return (
    <>
      <button
        className={styles.button}
        type="button"
        popoverTarget={id}
        aria-label="Why we ask"
        aria-describedby={about}
      >
        ?
      </button>
      <span className={styles.tip} id={id} popover="auto">
        {text}
      </span>
    </>
  )
}
