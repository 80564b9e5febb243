import { expect, test } from 'vitest'
import config from '../../vitest.config.ts'

test('one run may contain tests of every project, such as those of a folder', () => {
  const projects = config.test?.projects?.map((project) =>
    typeof project === 'object' && 'test' in project ? project.test : undefined,
  )
  const orders = projects?.map((project) => project?.sequence?.groupOrder ?? 0)
  // Vitest refuses to run two projects with different numbers of workers in one group.
  expect(orders).toEqual([...new Set(orders)])
  expect(orders).not.toHaveLength(0)
})
