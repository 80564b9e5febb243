import { counted } from '#domain/text/counted.ts'
import styles from './subject.module.css'

interface FilterPartsProps {
  /** Part by part, as the page says it that it is of. */
  parts: readonly string[]
  /** What stands before them. */
  after?: string
}

/** Longer than that, in characters, it takes more lines of a phone than the rest of its act. */
const longest = 60

export function FilterParts({ parts, after }: FilterPartsProps) {
  const before = after === undefined ? [] : [after]
  const whole = [...before, ...parts].join(' · ')
  if (whole.length <= longest) return whole
  return (
    <details className={styles.folded}>
      <summary>{[...before, `A filter of ${counted(parts.length, 'part')}`].join(' · ')}</summary>
      <ul>
        {parts.map((part) => (
          <li key={part}>{part}</li>
        ))}
      </ul>
    </details>
  )
}
