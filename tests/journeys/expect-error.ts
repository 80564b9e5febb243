import { expect, type Locator } from '@playwright/test'

/** The field is marked as wrong, and what is said about it ends with the message. */
export async function expectError(field: Locator, message: string) {
  const literally = message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(new RegExp(`${literally}$`))
}
