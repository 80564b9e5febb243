import { addressQuestion as words } from '#content/address-question.ts'
import type { AddressQuestion as Question } from '#domain/enquiry/address-question.ts'
import styles from './address-question.module.css'
import { UnitField } from './unit-field.tsx'

const headingId = 'address-question'
const hintId = 'address-question-hint'

/**
 * Asks about an address that was found. It takes the focus, and every button of it goes on; so does Next. The first
 * button in a form is the one that Enter presses: it is never the one that changes the street.
 */
export function AddressQuestion({ suggestion, asksForUnit, isStreetUnknown }: Question) {
  const isAboutStreet = suggestion !== undefined || isStreetUnknown
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend is not read where the focus is moved to it
    <div
      className={styles.question}
      role="group"
      aria-labelledby={headingId}
      aria-describedby={hintId}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without JavaScript a page comes anew, and asks first
      autoFocus
      data-summary=""
    >
      <h3 className={styles.heading} id={headingId}>
        {suggestion ? words.suggestion(suggestion) : isStreetUnknown ? words.unknown : words.unit}
      </h3>
      <p className={styles.hint} id={hintId}>
        {[isStreetUnknown && words.unknownHint, asksForUnit && words.unitHint]
          .filter(Boolean)
          .join(' ')}
      </p>
      {asksForUnit && <UnitField isAlone={!isAboutStreet} />}
      <div className={styles.answers}>
        {isAboutStreet ? (
          <button className={styles.answer} type="submit" name="move" value="next">
            {words.keep}
          </button>
        ) : (
          <button className={styles.answer} type="submit" name="move" value="no-unit">
            {words.noUnit}
          </button>
        )}
        {suggestion && (
          <button className={styles.answer} type="submit" name="suggestion" value={suggestion}>
            {words.take(suggestion)}
          </button>
        )}
      </div>
    </div>
  )
}
