import { Fragment } from 'react'
import drawn from '#ui/field.module.css'
import controls from './controls.module.css'
import styles from './keys.module.css'

interface KeyGroup {
  readonly where: string
  readonly keys: readonly (readonly [key: string, does: string])[]
}

/** All that there are. Every key has a button that does the same. */
export const keyGroups: readonly KeyGroup[] = [
  {
    where: 'Everywhere',
    keys: [
      ['/', 'search'],
      ['?', 'show these keys'],
    ],
  },
  {
    where: 'In a list',
    keys: [
      ['j', 'the next row, and past the last one the next page'],
      ['k', 'the row before'],
      ['Enter', 'open it'],
    ],
  },
  {
    where: 'In the quarantine',
    keys: [
      ['r', 'release the lead'],
      ['l', 'leave it, and go to the next one'],
      ['e', 'erase it: asks first'],
      ['v', 'reveal the person'],
      ['u', 'undo the last release, for 30 seconds'],
    ],
  },
]

/** The key that presses a button, beside its words: seen where keys act. The button's name stays what it says. */
export const KeyHint = ({ of }: { of: string }) => (
  <span aria-hidden="true" data-key-hint="">
    {of}
  </span>
)

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

/** Opened by its script; without one the link “Keys” leads to the page of the same. */
export const KeysDialog = () => (
  <dialog className={styles.dialog} data-keys="" aria-labelledby="keys-heading">
    <h2 id="keys-heading">Keys</h2>
    <KeyList />
    <form method="dialog">
      <button className={controls.button} type="submit">
        Close
      </button>
    </form>
  </dialog>
)
