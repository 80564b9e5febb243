import { addressQuestion as words } from '#content/address-question.ts'
import type { AddressQuestion as Question } from '#domain/enquiry/address.ts'
import styles from '../form/question-box.module.css'
import { QuestionBox } from '../form/question-box.tsx'
import { UnitField } from './unit-field.tsx'

/**
 * Asks about an address that was found. Every button of it goes on; so does Next. The first button in a form is the one
 * that Enter presses: it is never the one that changes the street.
 */
export function AddressQuestion({ suggestion, asksForUnit, isStreetUnknown }: Question) {
  const isAboutStreet = suggestion !== undefined || isStreetUnknown
  return (
    <QuestionBox
      heading={
        suggestion ? words.suggestion(suggestion) : isStreetUnknown ? words.unknown : words.unit
      }
      hint={[isStreetUnknown && words.unknownHint, asksForUnit && words.unitHint]
        .filter(Boolean)
        .join(' ')}
    >
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
    </QuestionBox>
  )
}
