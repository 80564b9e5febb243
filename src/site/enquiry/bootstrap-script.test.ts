// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { visitIdPattern } from '#contract/visit-report.ts'
import { bootstrapScript, startVisit } from '#site/enquiry/bootstrap-script.ts'

beforeEach(() => sessionStorage.clear())

function openPage(visit = ''): string {
  document.body.innerHTML = `<input type="hidden" name="visit" value="${visit}">`
  startVisit()
  return document.querySelector('input')?.value ?? ''
}

test('all pages of a tab have the same visit', () => {
  const id = openPage()
  expect(id).toMatch(visitIdPattern)
  expect(sessionStorage.visit).toMatch(`${id},`)
  expect(openPage()).toBe(id)
})

test('a visit that began without JavaScript keeps its id', () => {
  expect(openPage('0123456789abcdef')).toBe('0123456789abcdef')
  expect(openPage()).toBe('0123456789abcdef')
})

test('the inlined script has no indents and no comments', () => {
  expect(bootstrapScript).toContain('sessionStorage.visit')
  expect(bootstrapScript).not.toMatch(/^\s|\/\/|\/\*/m)
})
