import type { MouseEvent, ReactNode } from 'react'
import styles from './button.module.css'

interface ButtonProps {
  /** The button's action; posted as `move` without JavaScript. */
  move: 'next' | 'back'
  /** Shows that the form is busy. The button stays enabled, because a disabled button would lose the focus. */
  isBusy: boolean
  children: ReactNode
}

export function Button({ move, isBusy, children }: ButtonProps) {
  return (
    <button
      className={move === 'next' ? styles.primary : styles.quiet}
      type="submit"
      name="move"
      value={move}
      aria-disabled={isBusy || undefined}
      onClick={ignoreDoubleClick}
      data-busy={isBusy && move === 'next' ? '' : undefined}
    >
      {children}
    </button>
  )
}

/** The second click of a double click would press the next step's button, or skip a question. */
function ignoreDoubleClick(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault()
}
