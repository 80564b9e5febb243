import type { Logger } from 'pino'
import type { SingleSignOnSettings } from '#server/config/settings.ts'
import { FailureLog } from '#server/platform/observability/failure-log.ts'
import { wordOf } from './provider-faults.ts'

type Configuration = import('openid-client').Configuration

/** A person waits for it; in seconds. */
const timeout = 5

/** In milliseconds: who presses again meanwhile is told the same. */
const lookAgainAfter = 3000

/** In milliseconds. Its keys are asked for by themselves when they change; its addresses hardly ever do. */
const isFreshFor = 60 * 60_000

/**
 * What the provider says of itself, asked for when it is first needed: a provider that is away or slow keeps no console
 * from starting. What was known stays in use where it cannot be asked again.
 */
export class DiscoveredProvider {
  readonly #settings: SingleSignOnSettings
  readonly #failureLog: FailureLog
  #config: Configuration | undefined
  #looking: Promise<void> | undefined
  readonly #clock: () => number
  #lookedAt = Number.NEGATIVE_INFINITY

  /** @param clock epoch milliseconds */
  constructor(settings: SingleSignOnSettings, log: Logger, clock: () => number) {
    this.#settings = settings
    this.#clock = clock
    this.#failureLog = new FailureLog(log, {
      begins: 'single sign-on: the provider cannot be used; passkeys and passwords can',
      ends: 'single sign-on: the provider can be used again',
    })
  }

  /** Undefined where it cannot be reached, or does not say what it has to. */
  async find(): Promise<Configuration | undefined> {
    const looking = this.#look()
    if (this.#config === undefined) await looking
    return this.#config
  }

  /** As the last look had it; looks again meanwhile. */
  isAway(): boolean {
    const wasSeen = this.#lookedAt > Number.NEGATIVE_INFINITY
    void this.#look()
    return wasSeen && this.#config === undefined
  }

  #look(): Promise<void> {
    const age = this.#clock() - this.#lookedAt
    if (age < (this.#config === undefined ? lookAgainAfter : isFreshFor)) return Promise.resolve()
    this.#looking ??= this.#discover().finally(() => {
      this.#lookedAt = this.#clock()
      this.#looking = undefined
    })
    return this.#looking
  }

  async #discover(): Promise<void> {
    try {
      this.#config = await discover(this.#settings)
      this.#failureLog.succeeded()
    } catch (error) {
      this.#failureLog.failed(undefined, { issuer: this.#settings.issuer, why: wordOf(error) })
    }
  }
}

/**
 * Asks the provider what it says of itself; nobody signs in.
 * @throws where it cannot be reached, or does not say what it has to: wordOf in provider-faults.ts says why
 */
export async function discover(settings: SingleSignOnSettings): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = settings
  const client = await import('openid-client')
  const server = new URL(issuer)
  const config = await client.discovery(
    server,
    clientId,
    undefined,
    authenticateWith(client, clientSecret),
    {
      timeout,
      // The token's signature is looked at even though the connection itself says whose it is.
      execute: [
        client.enableNonRepudiationChecks,
        ...(server.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    },
  )
  if (new URL(config.serverMetadata().issuer).href !== server.href) throw new SharedIssuerError()
  return config
}

/** By the header where the provider takes that, or does not say (OpenID Connect Discovery 1.0, section 3). */
const authenticateWith =
  ({ ClientSecretBasic, ClientSecretPost }: typeof import('openid-client'), secret: string) =>
  (...[server, client, body, headers]: Parameters<import('openid-client').ClientAuth>): void => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic')
      ? ClientSecretBasic(secret)
      : ClientSecretPost(secret)
    authenticate(server, client, body, headers)
  }

/** As Entra’s `common`, which speaks for every company: another one’s admin would give roles here. */
class SharedIssuerError extends Error {
  override readonly name = 'SharedIssuerError'
}
