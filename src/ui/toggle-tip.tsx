import styles from './toggle-tip.module.css'

interface ToggleTipProps {
  id: string
  /** The id of the field's label, which screen readers read after the button's own name. */
  about: string
  text: string
}

/**
 * A question mark that explains why the form asks something. The browser opens and closes the tip, so it works without
 * JavaScript. An open tip takes the focus, so that screen readers read it; Escape returns the focus.
 */
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
      <span
        className={styles.tip}
        id={id}
        popover="auto"
        role="tooltip"
        tabIndex={-1}
        // biome-ignore lint/a11y/noAutofocus: it is shown because it was asked for
        autoFocus
        ref={setAutofocus}
      >
        {text}
      </span>
    </>
  )
}

/** React omits `autofocus` on elements it creates in the browser, which reads the attribute as the popover opens. */
const setAutofocus = (tip: HTMLElement | null) => tip?.setAttribute('autofocus', '')
