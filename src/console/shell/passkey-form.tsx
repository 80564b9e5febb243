import controls from './controls.module.css'
import { PostForm } from './post-form.tsx'

interface PasskeyFormProps {
  token: string
  /** Where its answer is posted; its options lie at the same address followed by `/options`. */
  action: string
  /** Asks for one that is known, or makes a new one. */
  does: 'get' | 'create'
  button: string
  /** What is posted with it: an invitation's code, the page to return to. */
  fields?: Readonly<Record<string, string>>
}

/** Shown by the passkeys' script, which fills in the answer: without a script there are no passkeys. */
export const PasskeyForm = ({ token, action, does, button, fields = {} }: PasskeyFormProps) => (
  <PostForm action={action} aria-label={button} data-passkey={does} hidden token={token}>
    {Object.entries(fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <input type="hidden" name="answer" />
    <button className={controls.button} type="submit">
      {button}
    </button>
    <p role="status" data-said="" />
  </PostForm>
)
