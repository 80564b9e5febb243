import { expect, test } from 'vitest'
import { isSqliteTooOld } from './open-sqlite.ts'

test.each(['2.99.99', '3.9.9', '3.51.2', '3.50.9', '3.51'])('%s is too old', (version) => {
  expect(isSqliteTooOld(version)).toBe(true)
})

test.each(['3.51.3', '3.51.10', '3.52.0', '3.100.0', '4.0.0'])('%s will do', (version) => {
  expect(isSqliteTooOld(version)).toBe(false)
})
