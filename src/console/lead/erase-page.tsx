import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { LeadsCommand } from '../shell/leads-command.tsx'
import { Notice } from '../shell/notice.tsx'
import type { Message } from '../shell/page-message.tsx'
import { PostForm } from '../shell/post-form.tsx'
import styles from './lead-page.module.css'
import { ReasonField } from './reason-field.tsx'

export interface ErasePageProps {
  shell: Shell
  id: string
  status: string
  /** Where it is posted to, and where who keeps it goes. */
  action: string
  back: string
  /** Where one goes on afterwards, in the quarantine. */
  after?: string
  problem?: Message | undefined
  /** As typed, where it was refused. */
  reason?: string | undefined
}

/** Asks before what cannot be undone. */
export const ErasePage = (props: ErasePageProps) => {
  const { shell, id, status, action, back, after, problem, reason } = props
  return (
    <ConsolePage shell={shell} name="Erase this lead’s person" message={problem}>
      <div className={controls.narrow}>
        <Notice kind="problem" heading="This cannot be undone">
          <p>
            Name, address, phone, email and IP of <code>{id}</code> go for good
            {status === 'delivered'
              ? '. The distributor has the lead: only it can erase its copy, so ask it.'
              : ', and it is not sent any more.'}
          </p>
        </Notice>
        <p>
          What stays: the reference, times, area, program, how each delivery went, and of the
          consent its text, its time and its page. Other leads of the same person stay as they are;
          by their email address all go at once: <LeadsCommand verb="erase --email" />. Backups and
          earlier exports are yours to see to.
        </p>
        <PostForm action={action} token={shell.token}>
          {after !== undefined && <input type="hidden" name="after" value={after} />}
          <ReasonField label="Reason" value={reason} error={problem?.fields?.reason} />
          <div className={styles.acts}>
            <button className={controls.danger} type="submit">
              Erase for good
            </button>
            <a href={back}>Keep it</a>
          </div>
        </PostForm>
      </div>
    </ConsolePage>
  )
}
