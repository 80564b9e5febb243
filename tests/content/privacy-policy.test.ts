import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Consent } from '#domain/lead/lead.ts'
import { storedAnswers } from '#domain/lead/stored-answers.ts'
import { sectionText, textOf } from './page-text.ts'
import { sampleTexts } from './sample-texts.ts'

const path = '/information/privacy-policy'
const privacy = sampleTexts().legal[path]
const operatorsPage = readFileSync(resolve(import.meta.dirname, '../../docs/privacy.md'), 'utf8')

describe('Privacy Policy', () => {
  it('has the specification’s sections, in order', () =>
    expect(privacy.sections.map(({ heading }) => heading)).toEqual([
      'Personal information collected and used',
      'How we use it',
      'Cookies and similar technologies',
      'How we share it',
      'How we protect it',
      'California notice',
      'Changes to this policy',
      'Contact',
    ]))

  // After a new field in the proof of consent, this file compiles only with a check of the policy.
  const proof: Record<keyof Consent, RegExp> = {
    text: /disclosure text word for word/,
    textHash: /fingerprint of that text/,
    at: /the time,/,
    ip: /your IP address,/,
    userAgent: /your browser reports/,
    pageUrl: /the page that the form was on/,
  }
  const collected = sectionText(privacy, 'information-collected')
  const listOfAsked = collected.slice(0, collected.indexOf('If you ask for a free guide'))
  const proofOfConsent = collected.split('\n').find((line) => line.startsWith('Proof of consent'))

  describe.each(Object.entries(storedAnswers))('the answer %s', (_, { called }) => {
    const words = new RegExp(`\\b${called}\\b`, 'i')
    it('is in the list of what the form asks for', () => expect(listOfAsked).toMatch(words))
    it('is in one of the categories', () =>
      expect(collected.slice(collected.indexOf('We collect these categories'))).toMatch(words))
    it('is in the operator’s table of stored data', () =>
      expect(operatorsPage.match(/^\| `leads` \|.*$/m)?.[0]).toMatch(words))
  })
  const notSent = Object.entries(storedAnswers).filter(([, { sent }]) => sent === null)
  it.each(notSent)('says that the distributor doesn’t get the answer %s', (_, { called }) =>
    expect(sectionText(privacy, 'sharing').match(/but not [^.]*\./)?.[0]).toContain(called),
  )
  it.each(Object.entries(proof))('says that the proof of consent contains %s', (_, words) =>
    expect(proofOfConsent).toMatch(words),
  )

  const points: Record<string, readonly (readonly [point: string, words: RegExp])[]> = {
    'information-collected': [
      ['the whole name', /first and last name/],
      ['the program', /program that interests you and the start date that you would like/],
      ['the IP address', /Our server sees your IP address/],
      ['the affiliate id', /carried an affiliate id, we keep it with your inquiry/],
      ['campaign, click and site of a link', /the campaign.*your click.*the site/],
      ['free guides', /free guide/],
      ['contact requests', /contact request/],
      ['the estimated age', /an age, estimated from your graduation year/],
      ['licenses that follow from the program', /nursing and teaching licenses, taken from/],
      [
        'the entries that are the same on every lead',
        /same on every lead.*gender, a start date.*self-rating/,
      ],
      ['identifiers', /^Identifiers: your name/m],
      ['contact data', /^Contact information: your phone number/m],
      ['financial-type data', /^Financial information: card and billing details/m],
      ['protected classifications', /^Protected classifications: age and gender/m],
      ['online activity', /^Online activity: the page/m],
    ],
    uses: [
      ['the school contacts the visitor', /Northgate Online University can contact you/],
      [
        'free guides and contact requests',
        /free guides that you ask for, and answer contact requests/,
      ],
      ['opting out of email', /opt out of email at any time/],
    ],
    cookies: [
      ['the number of cookies', /at most four/],
      ['session cookies', /All cookies of this site are session cookies/],
      ['the cookie with the reference number', /__Host-received: .*counted once/],
      ['forged requests', /XSRF-TOKEN: .*forged requests/],
      [
        'session storage until the tab closes',
        /session storage keeps your unfinished inquiry.*close the tab.*campaign, the click id, and the site/,
      ],
      ['analytics and advertising services', /third-party analytics and advertising services/],
      [
        'the pixel, on the thank-you page only',
        /in one place only: a measurement pixel on the thank-you page/,
      ],
      ['Global Privacy Control', /Global Privacy Control.*\(Sec-GPC\), we honor it: no pixel/],
      ['the message about the signal', /tells you so below the form/],
      [
        'the signal in the stored inquiry',
        /note with your inquiry that your information is not to/,
      ],
      ['the delivery despite the signal', /still goes to the school, as you asked/],
    ],
    sharing: [
      [
        'the lead-distribution service',
        /sent to Northgate Online University through a lead-distribution service/,
      ],
      [
        'address validation',
        /address validation service receives your street address and ZIP code/,
      ],
      ['geocoding', /geocoding service receives your ZIP code/],
      ['IP geolocation', /IP geolocation service receives your IP address/],
      ['calls by our server', /Only our server contacts our service providers/],
      ['affiliates', /^Affiliates: /m],
      ['service providers', /^Service providers /m],
      ['marketing partners', /^Marketing partners/m],
      ['postbacks to the partner', /tell the partner the affiliate id, the click id/],
      ['conversions for the ad’s platform', /tell the ad’s platform the click id/],
      ['sale', /We may sell personal information/],
      ['the signal against sale', /Global Privacy Control has opted out for you/],
      ['the address check of unfinished inquiries', /even if you do not finish the inquiry/],
    ],
    protection: [
      ['safeguards', /measures against loss, misuse and unauthorized access/],
      ['their limit', /No website is perfectly secure/],
      [
        'storage without a retention period',
        /We keep your answers .* until you ask us to erase them/,
      ],
      ['the data after an erasure', /what was agreed to, when, and on which of our pages/],
    ],
    'california-notice': [
      ['access', /^Access\. You may ask what/m],
      ['erasure', /^Erasure\. You may ask us to delete/m],
      ['opt-out of sale', /^Opt-out of sale\. You may tell us not to sell/m],
      ['portability', /^Portability\. You may ask/m],
      ['non-discrimination', /^Non-discrimination\. We do not/m],
    ],
    changes: [['changes', /we change this page/]],
    contact: [['the operator’s address', /Lantern Enrollment at privacy@lantern\.example/]],
  }
  describe.each(Object.entries(points))('under #%s', (id, required) => {
    it.each(required)('%s', (_, words) => expect(sectionText(privacy, id)).toMatch(words))
  })

  it('with a retention period, says how long the operator keeps answers and the proof of consent', () => {
    const kept = sectionText(sampleTexts({ retentionDays: 730 }).legal[path], 'protection')
    expect(kept).toMatch(/erase your answers 730 days after you sent them/)
    expect(kept).toMatch(/delete the proof of your consent 5 years after/)
    expect(kept).not.toContain('until we no longer need them')
  })

  it.each([
    ['who it is for', /visitors, for customers, and for authorized agents/],
    ['the age limit', /18 or older/],
  ])('says at its start: %s', (_, words) => expect(textOf(privacy.introduction)).toMatch(words))
})
