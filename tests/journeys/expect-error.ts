import { expect, type Locator } from '@playwright/test'

/** Expects that the field is marked as invalid and that its description ends with the message. */
export async function expectError(field: Locator, message: string) {
  const literally = message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(new RegExp(`${literally}$`))
}
