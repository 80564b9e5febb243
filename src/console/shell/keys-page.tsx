import { ConsolePage, type Shell } from './console-page.tsx'
import styles from './keys.module.css'
import { KeyList } from './keys.tsx'

/** The dialog's content, for operators without scripts or in a window of its own. */
export const KeysPage = ({ shell }: { shell: Shell }) => (
  <ConsolePage shell={shell} name="Keys">
    <div className={styles.page}>
      <h2 className="visually-hidden">What each does</h2>
      <KeyList />
      <noscript>
        <p>They need JavaScript. Every key has a button or a link that does the same.</p>
      </noscript>
    </div>
  </ConsolePage>
)
