import drawn from '#ui/field.module.css'
import { ConsolePage, type Shell } from './console-page.tsx'
import { Facts } from './facts.tsx'
import styles from './keys.module.css'

/** The shortcut keys. Each key has a button or link with the same function. */
export const keyGroups: readonly {
  readonly where: string
  readonly keys: readonly (readonly [key: string, does: string])[]
}[] = [
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
      ['j', 'the next row, and after the last one the next page'],
      ['k', 'the previous row'],
      ['Enter', 'open it'],
    ],
  },
  {
    where: 'In quarantine',
    keys: [
      ['r', 'release the lead'],
      ['l', 'leave it, and show the next one'],
      ['e', 'erase it: asks first'],
      ['v', 'reveal the person'],
      ['u', 'undo the last release, for 30 seconds'],
    ],
  },
]

/** Lists each key with its function, and has the switch that turns keys off (WCAG 2.1.4). */
export const KeysPage = ({ shell }: { shell: Shell }) => (
  <ConsolePage shell={shell} name="Keys">
    <div className={styles.page}>
      {keyGroups.map(({ where, keys }) => (
        <section key={where}>
          <h2 className={styles.where}>{where}</h2>
          <Facts
            className={styles.keys}
            of={keys.map(([key, does]) => [<kbd key={key}>{key}</kbd>, does])}
          />
        </section>
      ))}
      <p className={styles.hint}>Keys don’t act while you type, or together with Ctrl, Alt or ⌘.</p>
      <label className={styles.switch} data-needs-script="" hidden>
        <input className={drawn.checkbox} type="checkbox" data-keys-switch="" /> Keys act, in this
        browser
      </label>
      <noscript>
        <p>They need JavaScript. Every key has a button or a link that does the same.</p>
      </noscript>
    </div>
  </ConsolePage>
)
