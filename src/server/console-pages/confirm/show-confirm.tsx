import { html } from '#console/render.ts'
import type { Message } from '#console/shell/page-message.tsx'
import { ConfirmPage } from '#console/sign-in/confirm-page.tsx'
import type { ConfirmOwn } from '#server/operators/sessions/confirm-own.ts'
import type { KeepForms } from '#server/operators/sessions/keep-forms.ts'
import type { ConsoleContext } from '../console-env.ts'
import type { ShellOf } from '../shell-of.ts'
import type { SignOnParts } from '../single-sign-on/sign-on-parts.ts'

export interface ShowConfirmPorts {
  readonly shellOf: ShellOf
  readonly confirmOwn: ConfirmOwn
  readonly singleSignOn: SignOnParts | undefined
  readonly keepForms: KeepForms
}

/** @param keptId what waits for it; empty where nothing was kept */
export const makeShowConfirm =
  ({ shellOf, confirmOwn, singleSignOn, keepForms }: ShowConfirmPorts) =>
  async (
    c: ConsoleContext,
    keptId: string,
    problem?: Omit<Message, 'kind'>,
    status: 403 | 503 = 403,
  ) => {
    const actor = c.get('actor')
    const form = keptId === '' ? undefined : await keepForms.find(keptId, c.get('secret'))
    const isBySignOn = await singleSignOn?.useCase.isWayOf(actor.id)
    const page = (
      <ConfirmPage
        shell={shellOf(c)}
        {...(await confirmOwn.waysOf(actor))}
        provider={isBySignOn ? singleSignOn?.settings.name : undefined}
        isForSearch={form === undefined && c.req.query('for') === 'search'}
        kept={form && { id: keptId, action: form.action, page: form.page }}
        isConfirmed={form !== undefined && actor.strongAt >= form.keptAt}
        problem={problem && { kind: 'problem', ...problem }}
      />
    )
    return c.html(html(page), problem === undefined ? 200 : status)
  }

export type ShowConfirm = ReturnType<typeof makeShowConfirm>
