import styles from './toggle-tip.module.css'

interface ToggleTipProps {
  id: string
  /** The id of what it belongs to: read out after the button's own name. */
  about: string
  text: string
}

/**
 * A question mark that says why something is asked. The browser opens and closes it, so it works without JavaScript. An
 * open one takes the focus, and is read out with it; Escape gives the focus back.
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
        ref={takeFocus}
      >
        {text}
      </span>
    </>
  )
}

/** React leaves the attribute out where it makes an element in the browser; the browser reads it as the popover opens. */
const takeFocus = (tip: HTMLElement | null) => tip?.setAttribute('autofocus', '')
