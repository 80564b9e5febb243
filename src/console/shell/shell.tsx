import { createContext, useContext } from 'react'
import type { Message } from '#domain/operator/messages.ts'
import { isAllowed, type Permission, type Role } from '#domain/operator/permissions.ts'
import type { ExportCell } from '#server/platform/export-formats.ts'

export interface ConsoleAssets {
  /** The CSS that each page contains; empty without a build, such as in tests. */
  readonly styles: string
  /** The URL of the script that every page loads. */
  readonly pageScript?: string
  /** The URL of the script for pages that sign in or add a passkey. */
  readonly passkeyScript?: string
  /** The URLs of the scripts that reload the page during development. */
  readonly developmentScripts?: readonly string[]
}

/** What every page needs to know about the request and the console. */
export interface ConsoleShell {
  readonly assets: ConsoleAssets
  readonly zone: string
  readonly path: string
  readonly query?: string
  /** Takes the lines of a sortable table, if the request asks for a file instead of the page. */
  readonly takeTable?:
    | ((table: string, makeLines: () => readonly ExportCell[][], fileName: string) => void)
    | undefined
  /** Adds to the name of that file what its rows have in common, such as the days of the page. */
  readonly nameFile?: ((part: string) => void) | undefined
  /** The form token, which each posted form sends. */
  readonly token: string
  /** The signed-in operator; undefined if nobody is signed in. */
  readonly operator: { readonly email: string; readonly role: Role } | undefined
  /** The page to return to after the operator confirms their identity; undefined after a recent sign-in. */
  readonly stepUpFor?: string | undefined
  /** False for the reply to a posted form, because the URL of the reply shows another page when reloaded. */
  readonly canRefresh?: boolean
  /** Returns how operators type a command for this store, such as `sudo leads stats` for `stats`. */
  readonly formatCommand?: (verb: string) => string
  /** The result of the request, or of the earlier request that redirected to this page. */
  readonly message?: Message | undefined
  readonly version?: string
}

/** The shell of the page that is rendered; the default serves tests that render a part of a page. */
export const ShellContext = createContext<ConsoleShell>({
  assets: { styles: '' },
  zone: 'UTC',
  path: '/',
  token: '',
  operator: undefined,
})

export const useShell = (): ConsoleShell => useContext(ShellContext)

/** Returns a function that says whether the operator may do an action. Without an operator, a viewer's permissions count. */
export function useMayDo(): (action: Permission) => boolean {
  const role = useShell().operator?.role ?? 'viewer'
  return (action) => isAllowed(role, action)
}

/** Returns whether the operator must confirm their identity before a sensitive action. */
export const useNeedsStepUp = (): boolean => useShell().stepUpFor !== undefined

/** Returns the error messages of the posted form by field name. */
export const useFieldErrors = (): NonNullable<Message['fields']> => useShell().message?.fields ?? {}

/** Shows a command that works as pasted for the console's store. */
export const LeadsCommand = ({ verb }: { verb: string }) => (
  <code>{useShell().formatCommand?.(verb) ?? `npm run leads -- ${verb}`}</code>
)
