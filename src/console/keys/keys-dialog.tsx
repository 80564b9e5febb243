import controls from '../shell/controls.module.css'
import { KeyList } from './key-list.tsx'
import styles from './keys.module.css'

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
