import type * as v from 'valibot'

/** All there is to know of one name of the environment. What is listed of settings anywhere is made from these. */
export interface Setting {
  /** Of the text that is given. */
  readonly rule: v.GenericSchema<string, unknown>
  /** Follows the name in `--help`, and "set it to" where it is missing. */
  readonly means: string
  /** What stands for it where it is not set, as it would be written. */
  readonly byDefault?: string
  /** The same for production, where that differs. */
  readonly inProduction?: string
  /** Another setting, without which `byDefault` stands for it in production, too. */
  readonly inProductionWith?: string
  /** What stands for it in demo mode. Production wants the operator's own, and refuses this one (reading 6). */
  readonly inDemo?: string
  /** Production does not start without it. */
  readonly isNeeded?: true
  /** Another setting with whose value it is not needed after all. */
  readonly needlessWith?: string
  /** Set empty says "do without"; everywhere else empty counts as not set. */
  readonly mayBeEmpty?: true
  /** It is secret, or can have a secret in it: it may come from a file, as NAME_FILE. */
  readonly mayBeSecret?: true
  /** Production never reads it. */
  readonly isForDemo?: true
  /** Under systemd it belongs in store.env, which the units read last, and the operator's verbs, too. */
  readonly isOfStore?: true
  /** What deploy/production.env.example sets it to, where that is no default. */
  readonly example?: string
}

export type Settings = Readonly<Record<string, Setting>>
