import type { SingleSignOnSettings } from '#server/config/settings.ts'
import type { SingleSignOn } from '#server/operators/single-sign-on/single-sign-on.ts'

/** What single sign-on is on this console. */
export interface SignOnParts {
  readonly settings: SingleSignOnSettings
  readonly useCase: SingleSignOn
}

/** The provider is told of both, so they stay. */
export const signOnPath = '/sign-in/oidc'
export const callbackPath = '/sign-in/oidc/callback'
