import type { ConsoleContext, ConsoleServices } from '#console/console-services.ts'
import { isAllowed, type Permission } from '#domain/operator/permissions.ts'
import { NotAllowedError } from '#server/operators/authorize.ts'
import { findSession } from '#server/operators/sessions.ts'

/** @throws NotAllowedError if the session has ended or the operator has lost the permission */
export async function assertStillPermitted(
  { operators }: ConsoleServices,
  c: ConsoleContext,
  action: Permission,
): Promise<void> {
  const session = await findSession(operators, c.get('secret'))
  const isPermitted = session !== undefined && isAllowed(session.operator.role, action)
  if (!isPermitted) throw new NotAllowedError(action)
}
