import type { BreakerState } from '#domain/delivery/breaker.ts'
import { TextField } from '#ui/text-field.tsx'
import controls from '../shell/controls.module.css'
import { PostForm } from '../shell/post-form.tsx'
import styles from './deliveries-page.module.css'

export interface HoldFormProps {
  token: string
  breaker: BreakerState
  /** As it was typed. */
  reason?: string
  error?: string | undefined
}

/** One field and what can be done now: what is held back can be let go, what runs can be stopped. */
export function HoldForm({ token, breaker, reason = '', error }: HoldFormProps) {
  const isHeld = breaker.pause !== null || breaker.trip !== null
  return (
    <PostForm
      className={styles.hold}
      action="/deliveries/pause"
      token={token}
      aria-label="Pause and resume deliveries"
    >
      <TextField
        name="reason"
        label="Reason"
        required={false}
        type="text"
        autoComplete="off"
        hint="Optional. Stands here, in the log and in the audit for good: name nobody."
        error={error}
        value={reason}
      />
      <div className={controls.row}>
        {breaker.pause === null && (
          <button className={isHeld ? controls.button : controls.primary} type="submit">
            Pause
          </button>
        )}
        {isHeld && (
          <button className={controls.primary} type="submit" formAction="/deliveries/resume">
            Resume
          </button>
        )}
      </div>
    </PostForm>
  )
}
