import { ConsolePage, type Shell } from './console-page.tsx'
import styles from './keys.module.css'
import { KeyList } from './keys.tsx'

/** What the dialog has, for who has no script, or opens it in a window of its own. */
export const KeysPage = ({ shell }: { shell: Shell }) => (
  <ConsolePage shell={shell} name="Keys">
    <div className={styles.page}>
      <h2 className="visually-hidden">What each does</h2>
      <KeyList />
      <noscript>
        <p>They need JavaScript. Everything that they do, a button or a link does as well.</p>
      </noscript>
    </div>
  </ConsolePage>
)
