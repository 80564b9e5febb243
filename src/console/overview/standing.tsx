import { Moment } from '../shell/moment.tsx'
import { Notice } from '../shell/notice.tsx'
import styles from './figures.module.css'
import type { Trouble } from './trouble.ts'
import { type OverviewFacts, troublesOf } from './troubles.ts'

/** Is all well? Else what is not, since when, and what to do. */
export function Standing({ facts, now }: { facts: OverviewFacts; now: number }) {
  const troubles = troublesOf(facts, now)
  if (troubles.length === 0) {
    return (
      <Notice kind="well" heading="All is well">
        <p>Nothing holds deliveries up, and none has used up its tries.</p>
      </Notice>
    )
  }
  return (
    <div className={styles.troubles}>
      {troubles.map((trouble) => (
        <Told key={trouble.what} {...trouble} />
      ))}
    </div>
  )
}

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
