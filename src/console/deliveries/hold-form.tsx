import type { BreakerState } from '#domain/delivery/breaker.ts'
import { TextField } from '#ui/text-field.tsx'
import controls from '../shell/controls.module.css'
import { PostForm } from '../shell/post-form.tsx'
import styles from './deliveries-page.module.css'

export interface HoldFormProps {
  token: string
  breaker: BreakerState
  /** As typed, where it was refused. */
  reason?: string | undefined
  error?: string | undefined
}

/** Alone, *Reason* said nothing of what it is a reason for. */
function whatItIsFor({ pause, trip }: BreakerState): string {
  if (pause !== null) return 'Let deliveries go on'
  return trip === null ? 'Hold all deliveries back' : 'Let deliveries go on, or hold them all back'
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
      <h2>{whatItIsFor(breaker)}</h2>
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
