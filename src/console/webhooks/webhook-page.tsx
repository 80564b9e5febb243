import {
  describeAnswer,
  describeNotification,
  describeNotificationBreaker,
} from '#domain/notifications/describe-notification.ts'
import type { DestinationView, NotificationView } from '#domain/notifications/notification.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { ConsolePage, type ConsoleShell, isActionAllowed } from '../shell/console-page.tsx'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { ButtonForm } from '../shell/forms.tsx'
import { LeadLink } from '../shell/lead-link.tsx'
import type { Message } from '../shell/message.tsx'
import { Timestamp } from '../shell/times.tsx'
import styles from './webhooks.module.css'
import { toWebhookTexts, WebhookForm, type WebhookTexts } from './webhooks-page.tsx'

export interface WebhookPageProps {
  shell: ConsoleShell
  destination: DestinationView
  /** The latest notifications, newest first. */
  notifications: readonly NotificationView[]
  message?: Message | undefined
  /** The values that the operator typed, if the server refused the form. */
  texts?: WebhookTexts | undefined
}

/** Shows the state and the latest notifications of one webhook or postback. */
export function WebhookPage(props: WebhookPageProps) {
  const { shell, destination, notifications, message, texts } = props
  const { kind, id, name, waiting, breaker } = destination
  const mayChange = isActionAllowed(shell, 'change webhooks')
  const isPaused = breaker.pause !== null
  const act = (verb: string, button: string, look?: 'danger') => (
    <ButtonForm
      action={`/webhooks/${id}/${verb}`}
      token={shell.token}
      button={button}
      {...(look && { look })}
    />
  )
  return (
    <ConsolePage shell={shell} name={kind === 'webhook' ? 'Webhook' : 'Postback'} message={message}>
      <p className={styles.url}>
        {kind === 'webhook' ? name : <a href={`/affiliates/${id}`}>{name}</a>}{' '}
        <a href="/webhooks">All webhooks</a>
      </p>
      <p>
        {pluralize(waiting, 'notification')} waiting. Status:{' '}
        {describeNotificationBreaker(breaker) ?? 'working'}.
      </p>
      {mayChange && shell.confirmFor === undefined && (
        <div className={styles.actions}>
          {act('test', 'Send test')}
          {act('again', 'Send failed again')}
          {isPaused ? act('resume', 'Resume') : act('pause', 'Pause')}
          {kind === 'webhook' && act('remove', 'Delete', 'danger')}
        </div>
      )}
      <h2>Latest notifications</h2>
      <DataTable
        name="Notifications"
        columns={columns}
        rows={notifications}
        keyOf={(row) => row.id}
        empty="Nothing has been sent yet."
      />
      {mayChange && kind === 'webhook' && (
        <>
          <h2>Change the webhook</h2>
          <WebhookForm
            shell={shell}
            action={`/webhooks/${id}`}
            button="Save"
            errors={message?.fields}
            texts={texts ?? toWebhookTexts(destination)}
          />
        </>
      )}
    </ConsolePage>
  )
}

const columns: readonly Column<NotificationView>[] = [
  { heading: 'Time', isWhole: true, cell: ({ eventAt }) => <Timestamp at={eventAt} /> },
  { heading: 'Event', cell: ({ event }) => event },
  { heading: 'Lead', cell: ({ leadId }) => leadId !== null && <LeadLink id={leadId} /> },
  {
    heading: 'Result',
    isLong: true,
    cell: (row) => (
      <>
        {describeNotification(row)}
        {row.settledAs === null && row.attempts > 0 && (
          <>
            , <Timestamp at={row.nextAt} />
          </>
        )}
      </>
    ),
  },
  { heading: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
  { heading: 'Last answer', cell: describeAnswer },
  {
    heading: 'Reply',
    isLong: true,
    cell: ({ reply }) =>
      reply !== null && (
        <details>
          <summary>Show</summary>
          <p className={styles.reply}>{reply}</p>
        </details>
      ),
  },
]
