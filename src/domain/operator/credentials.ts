export interface Credentials {
  readonly hasPassword: boolean
  readonly passkeys: number
  readonly hasSingleSignOn: boolean
}

/** @returns undefined for an invited operator who has not set up a way to sign in */
export function describeCredentials(operator: Credentials): string | undefined {
  const { hasPassword, passkeys, hasSingleSignOn } = operator
  const ways = [
    ...(hasSingleSignOn ? ['single sign-on'] : []),
    ...(hasPassword ? ['password'] : []),
    ...(passkeys > 0 ? [passkeys === 1 ? 'a passkey' : `${passkeys} passkeys`] : []),
  ]
  return ways.length === 0 ? undefined : ways.join(', ')
}
