import { counted } from '#domain/text/counted.ts'
import { Moment } from '../shell/moment.tsx'
import { Notice } from '../shell/notice.tsx'
import { answersInWords } from './answers-in-words.ts'
import styles from './figures.module.css'
import type { Trouble } from './trouble.ts'
import { type OverviewFacts, troublesOf } from './troubles.ts'
import { waitsInQuarantine } from './waits-in-quarantine.ts'

/** What is not as it should be, since when, and what to do; else what runs. Beside it, who waits for an operator. */
export function Standing({ facts, now }: { facts: OverviewFacts; now: number }) {
  const troubles = troublesOf(facts, now)
  const waiting = waitsInQuarantine(facts)
  return (
    <div className={styles.troubles}>
      {troubles.length === 0 && <Running facts={facts} />}
      {troubles.map((trouble) => (
        <Told key={trouble.what} {...trouble} />
      ))}
      {waiting !== undefined && <Told {...waiting} />}
    </div>
  )
}

/** Says what it covers: that deliveries run is not that every lead is taken, or that nothing is to be done. */
const Running = ({ facts: { answers, pending, quarantined } }: { facts: OverviewFacts }) => (
  <Notice kind="well" heading="Deliveries run">
    <p>
      Nothing holds them up, and none has used up its tries.{' '}
      {pending > 0 && (
        <>
          <a href="/leads?status=pending">{counted(pending, 'lead')}</a>{' '}
          {pending === 1 ? 'waits for its' : 'wait for their'} turn or next try.{' '}
        </>
      )}
      {answersInWords(answers)}{' '}
      {answers !== undefined && answers.lastDay.rejected > 0 && (
        <>
          <a href="/deliveries?range=24h">What it said of those</a>.{' '}
        </>
      )}
      {quarantined.count === 0 && 'Nobody waits in quarantine.'}
    </p>
  </Notice>
)

const Told = ({ kind, what, since, more, todo, list, section }: Trouble) => (
  <Notice kind={kind} heading={what}>
    <p>
      {since !== undefined && (
        <>
          {since.words} <Moment at={since.at} />.{' '}
        </>
      )}
      {more}
    </p>
    <p>
      <strong>What to do:</strong> {todo}{' '}
      {list !== undefined && (
        <>
          <a href={list.href}>{list.words}</a>.{' '}
        </>
      )}
      More in docs/runbook.md, “{section}”.
    </p>
  </Notice>
)
