import type { VisibleLeadDetails } from '#domain/lead/lead-details.ts'
import {
  describeAnswer,
  describeNotification,
} from '#domain/notifications/describe-notification.ts'
import type { LeadNotification } from '#domain/notifications/notification.ts'
import { Facts } from '../shell/facts.tsx'
import { Timestamp } from '../shell/times.tsx'
import layout from '../shell/two-columns.module.css'

/** Says who was told what became of the lead, and why an affiliate was not. */
export function LeadNotifications({ delivery }: Pick<VisibleLeadDetails, 'delivery'>) {
  const { notifications = [], noPostback } = delivery ?? {}
  if (notifications.length === 0 && noPostback === undefined) return null
  return (
    <section className={layout.card} aria-labelledby="notified">
      <h2 id="notified">Notifications</h2>
      <Facts
        of={[
          ...notifications.map((one) => [<Name key="name" {...one} />, describe(one)] as const),
          noPostback !== undefined && ['Postback', `not sent: ${noPostback}`],
        ]}
      />
    </section>
  )
}

const Name = ({ id, name }: LeadNotification) => <a href={`/webhooks/${id}`}>{name}</a>

const describe = (notification: LeadNotification) => (
  <>
    {notification.event}, <Timestamp at={notification.eventAt} />:{' '}
    {describeNotification(notification)}
    {describeAnswer(notification) !== null && `, ${describeAnswer(notification)}`}
  </>
)
