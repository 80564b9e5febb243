import { Fragment } from 'react'
import drawn from '#ui/field.module.css'
import styles from './keys.module.css'
import { keyGroups } from './keys.ts'

/** Each key and what it does; with a script also the switch that turns them off (WCAG 2.1.4). */
export const KeyList = () => (
  <>
    {keyGroups.map(({ where, keys }) => (
      <section key={where}>
        <h3 className={styles.where}>{where}</h3>
        <dl className={styles.keys}>
          {keys.map(([key, does]) => (
            <Fragment key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </Fragment>
          ))}
        </dl>
      </section>
    ))}
    <p className={styles.hint}>Never while you type, nor together with Ctrl, Alt or ⌘.</p>
    <label className={styles.switch} data-needs-script="" hidden>
      <input className={drawn.checkbox} type="checkbox" data-keys-switch="" /> Keys act, in this
      browser
    </label>
  </>
)
