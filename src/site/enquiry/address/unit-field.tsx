import { addressQuestion as words } from '#content/address-question.ts'
import field from '#ui/field.module.css'
import { fieldIds } from '#ui/field.tsx'
import styles from '../form/question-box.module.css'

const { control } = fieldIds('unit')

/** @param isAlone nothing else is asked, so that it has a button of its own: the first, which Enter presses. */
export function UnitField({ isAlone }: { isAlone: boolean }) {
  return (
    <>
      <label className={field.label} htmlFor={control}>
        {words.unitLabel}
      </label>
      <div className={styles.unit}>
        <input
          className={field.input}
          id={control}
          name="unit"
          autoComplete="address-line2"
          maxLength={30}
        />
        {isAlone && (
          <button className={styles.answer} type="submit" name="move" value="next">
            {words.addUnit}
          </button>
        )}
      </div>
    </>
  )
}
