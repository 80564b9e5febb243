import { httpUrl, list, text } from '../value-rules.ts'
import type { Settings } from './setting.ts'

/** How operators sign in by an OpenID Connect provider. */
export const singleSignOnSettings = {
  CONSOLE_OIDC_ISSUER: {
    rule: httpUrl,
    means:
      'the issuer of the OpenID Connect provider that operators sign in by, as it says it itself, like https://login.example.edu/realms/staff; without it they have passkeys and passwords alone',
  },
  CONSOLE_OIDC_CLIENT_ID: {
    rule: text,
    means: 'the client’s id at the provider',
  },
  CONSOLE_OIDC_CLIENT_SECRET: {
    rule: text,
    means: 'the client’s secret at the provider',
    mayBeSecret: true,
  },
  CONSOLE_OIDC_NAME: {
    rule: text,
    byDefault: 'single sign-on',
    means: 'what operators call it; the button reads “Sign in with” and this',
  },
  CONSOLE_OIDC_SCOPES: {
    rule: text,
    byDefault: 'openid email',
    means: 'the scopes that it is asked for, with spaces between',
  },
  CONSOLE_OIDC_ROLE_CLAIM: {
    rule: text,
    byDefault: 'roles',
    means: 'the claim that says what somebody may; a part of one after a dot: realm_access.roles',
  },
  CONSOLE_OIDC_VIEWER: {
    rule: list,
    byDefault: 'viewer',
    means: 'the values of that claim that make a viewer, with commas between',
  },
  CONSOLE_OIDC_OPERATOR: {
    rule: list,
    byDefault: 'operator',
    means: 'the values of that claim that make an operator',
  },
  CONSOLE_OIDC_ADMIN: {
    rule: list,
    byDefault: 'admin',
    means: 'the values of that claim that make an admin',
  },
  CONSOLE_OIDC_VERIFIED_CLAIM: {
    rule: text,
    byDefault: 'email_verified',
    means: 'the claim that says that the email is the person’s own; of Entra xms_edov',
  },
} as const satisfies Settings
