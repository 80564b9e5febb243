import type { ReceivedCall } from '../calls/call-list.ts'
import { serviceNames } from '../services/services.ts'
import { Badge } from './badge.tsx'
import { Moment } from './moment.tsx'

/** A call that brought no lead. */
export function CallRows({ call }: { readonly call: ReceivedCall }) {
  const { service, asked, receivedAt, answered } = call
  return (
    <tbody id={callRowId(call)}>
      <tr>
        <th scope="row">
          {serviceNames[service]}
          <span className="quiet">
            <Moment at={receivedAt} />
          </span>
        </th>
        <td className="asked">{asked}</td>
        <td>
          <Badge {...answered} />
        </td>
      </tr>
    </tbody>
  )
}

export const callRowId = ({ number }: ReceivedCall): string => `call-${number}`
