import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import { SingleSignOnLink } from './single-sign-on-link.tsx'

export interface SignOnRefusedPageProps {
  shell: Shell
  /** As operators call the provider. */
  provider: string
  heading: string
  text: string
}

/** The provider knows them, and the console does not let them in: why, and who can change it. */
export const SignOnRefusedPage = (props: SignOnRefusedPageProps) => {
  const { shell, provider, heading, text } = props
  return (
    <ConsolePage shell={shell} name="Not signed in" message={{ kind: 'problem', heading, text }}>
      <SingleSignOnLink
        href="/sign-in/oidc?account=another"
        text={`Use another account of ${provider}`}
      />
      <p>
        <a href="/sign-in">Back to the sign-in</a>
      </p>
    </ConsolePage>
  )
}
