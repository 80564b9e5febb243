import type { ReactNode } from 'react'
import styles from './button.module.css'

interface ButtonProps {
  /** The button's action, which the browser posts as `move` without JavaScript. */
  move: 'next' | 'back'
  /** True while the form is busy. The button stays enabled, because a disabled button would lose the focus. */
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
      data-busy={isBusy && move === 'next' ? '' : undefined}
    >
      {children}
    </button>
  )
}
