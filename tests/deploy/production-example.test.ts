import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { productionExample } from './production-example.ts'

test('the example of production’s settings is what is declared; vitest --update writes it anew', async () => {
  const file = resolve(import.meta.dirname, '../../deploy/production.env.example')
  await expect(productionExample()).toMatchFileSnapshot(file)
})
