import type { ReactNode } from 'react'
import { ConsolePage } from './console-page.tsx'
import controls from './controls.module.css'
import { PostForm, SubmitButton } from './forms.tsx'
import { Callout } from './message.tsx'

export interface ConfirmPageProps {
  /** The page's heading, which names the action. */
  name: string
  /** What is lost. */
  warning: ReactNode
  /** What else the operator should know before the action. */
  children?: ReactNode
  /** The path that the form posts to. */
  action: string
  fields?: Readonly<Record<string, string | undefined>>
  /** The fields that the operator fills in. */
  inputs?: ReactNode
  button: string
  /** The page that the operator came from. */
  back: string
}

/** Asks the operator to confirm an action that cannot be undone. */
export const ConfirmPage = (props: ConfirmPageProps) => {
  const { name, warning, children, action, fields, inputs, button, back } = props
  return (
    <ConsolePage name={name}>
      <div className={controls.narrow}>
        <Callout kind="problem" heading="This cannot be undone">
          {warning}
        </Callout>
        {children}
        <PostForm action={action} fields={fields ?? {}}>
          {inputs}
          <div className={controls.acts}>
            <SubmitButton variant="danger">{button}</SubmitButton>
            <a href={back}>Cancel</a>
          </div>
        </PostForm>
      </div>
    </ConsolePage>
  )
}
