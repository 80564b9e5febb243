import { useEffect } from 'react'
import type { Notice } from '#content/messages.ts'
import { toastLifeMs } from '#content/ui-constants.ts'
import styles from './toast.module.css'

interface ToastProps {
  notice: Notice
  onClose: () => void
}

/**
 * Says a notice beside the form; Escape closes it. Its twin in the page (reading 14) takes the focus and is read out with
 * it: a live region here would say the same words a moment before.
 */
export function Toast({ notice, onClose }: ToastProps) {
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && onClose()
    addEventListener('keydown', onKeyDown)
    const timer = notice.isSticky ? undefined : setTimeout(onClose, toastLifeMs)
    return () => {
      removeEventListener('keydown', onKeyDown)
      clearTimeout(timer)
    }
  }, [notice, onClose])

  return (
    <div className={styles.rail}>
      <div className={styles.toast} data-toast="">
        <div>
          <strong>{notice.summary}</strong>
          <p className={styles.detail}>{notice.detail}</p>
        </div>
        <button className={styles.close} type="button" aria-label="Close message" onClick={onClose}>
          ×
        </button>
      </div>
    </div>
  )
}
