import { useEffect } from 'react'
import type { Notice } from '#content/messages.ts'
import { toastLifeMs } from '#content/ui-constants.ts'
import styles from './toast.module.css'

interface ToastProps {
  notice: Notice
  onClose: () => void
}

/** Says a notice over the page. What it says also stands in the page, for those who miss it (ruling 14). */
export function Toast({ notice, onClose }: ToastProps) {
  useEffect(() => {
    if (notice.isSticky) return
    const timer = setTimeout(onClose, toastLifeMs)
    return () => clearTimeout(timer)
  }, [notice, onClose])

  return (
    <div className={styles.toast} role="alert">
      <div>
        <strong>{notice.summary}</strong>
        <p className={styles.detail}>{notice.detail}</p>
      </div>
      <button className={styles.close} type="button" aria-label="Close message" onClick={onClose}>
        ×
      </button>
    </div>
  )
}
