import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { productionExample } from './production-example.ts'

test('production.env.example has every declared setting; vitest --update rewrites the file', async () => {
  const file = resolve(import.meta.dirname, '../../deploy/production.env.example')
  await expect(productionExample()).toMatchFileSnapshot(file)
})
