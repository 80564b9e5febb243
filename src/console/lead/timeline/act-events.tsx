import { outcomeWords } from '#domain/job/member-outcome.ts'
import { outcomeInWords } from '../../audit/outcome-in-words.ts'
import type { ShownAct, ShownJobAct } from '../shown-lead.ts'
import type { TimelineEvent } from './timeline-event.ts'

export const actEvent = ({
  id,
  at,
  who,
  via,
  action,
  reason,
  outcome,
}: ShownAct): TimelineEvent => ({
  key: id,
  at,
  kind: 'note',
  what: `${who} ${action}${via === 'console' ? '' : ', on the command line'}`,
  more: (
    <p>
      {outcome === null
        ? 'What came of it is not known: it may have been cut off.'
        : outcomeInWords(outcome)}
      {reason !== null && ` (${reason})`}
    </p>
  ),
})

export const jobEvent = ({
  jobId,
  at,
  who,
  action,
  reason,
  outcome,
}: ShownJobAct): TimelineEvent => ({
  key: `${jobId} ${at}`,
  at,
  kind: 'note',
  what: `A job of ${who} came to it, to ${action}: ${outcomeWords[outcome].came}`,
  more: (
    <p>
      <a href={`/jobs/${jobId}`}>The job</a>
      {reason !== null && ` (${reason})`}
    </p>
  ),
})
