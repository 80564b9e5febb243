import type { ConsoleContext, ConsoleServices } from '#console/console-services.ts'
import { isAllowed, type Permission } from '#domain/operator/permissions.ts'
import { NotAllowedError } from '#server/operators/authorize.ts'
import { findSession } from '#server/operators/sessions.ts'

/** Whether the request's session is still open and the signed-in operator still has the permission. */
export async function isStillPermitted(
  { operators }: Pick<ConsoleServices, 'operators'>,
  c: ConsoleContext,
  action: Permission,
): Promise<boolean> {
  const session = await findSession(operators, c.get('secret'))
  return session !== undefined && isAllowed(session.operator.role, action)
}

/** @throws NotAllowedError if the session has ended or the operator has lost the permission */
export const assertStillPermitted = async (...check: Parameters<typeof isStillPermitted>) => {
  if (!(await isStillPermitted(...check))) throw new NotAllowedError(check[2])
}
