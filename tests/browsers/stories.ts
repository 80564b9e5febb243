import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { typeAheadResetMs } from '#content/ui-constants.ts'
import { ada } from '#tests/journeys/ada.ts'
import { leadAsSent } from '#tests/journeys/lead-as-sent.ts'
import { arrivals } from '#tests/product/sandbox-ledger.ts'
import type { RunningProduct } from '#tests/product/start-process.ts'
import { answerStep } from './answer.ts'
import type { Visitor } from './visitor.ts'

export interface Story {
  readonly title: string
  /** Whether the visitor's browser runs scripts. */
  readonly javaScript: boolean
  /** @param email an address for this story only, so that no two stories send the same enquiry */
  run(visitor: Visitor, email: string, product: RunningProduct): Promise<void>
}

const business = '/business?AFFID=Partner-7'

/** Waits until the phone number is formatted, which only the script does: from here on the script handles the form. */
async function meetScript(visitor: Visitor) {
  await visitor.fill('Phone', '9')
  await visitor.seesValue('Phone', '(9')
  await visitor.fill('Phone', '')
}

async function toAddress(visitor: Visitor, email: string) {
  await visitor.open(business)
  await meetScript(visitor)
  await answerStep(visitor, 'about-you', email)
}

async function sendsAnEnquiry(visitor: Visitor, email: string, product: RunningProduct) {
  await answerStep(visitor, 'about-you', email)
  await answerStep(visitor, 'address')
  await answerStep(visitor, 'your-education')
  await answerStep(visitor, 'program')
  await visitor.seesHeading('Information Received')
  const [arrived, ...others] = await arrivals(product.sandboxUrl, email)
  assert.deepEqual(others, [])
  assert.deepEqual(
    arrived?.body,
    leadAsSent(
      product,
      { ...ada, email },
      {
        subId: 'Partner-7',
        city: 'Sarasota',
        state: 'FL',
        levelId: 791,
        programId: 8,
        rnLicense: 'FALSE',
        teachingLicense: 'No',
      },
    ),
  )
}

export const stories: readonly Story[] = [
  {
    title: 'sends an enquiry, and the distributor has it',
    javaScript: true,
    async run(visitor, email, product) {
      await visitor.open(business)
      await meetScript(visitor)
      await visitor.seesRoomAbove('First name')
      await sendsAnEnquiry(visitor, email, product)
    },
  },
  {
    title: 'leaves the first step empty',
    javaScript: true,
    async run(visitor) {
      await visitor.open(business)
      await meetScript(visitor)
      await visitor.press('Next')
      await visitor.seesHeading('Still needed')
      await visitor.seesError('First name', 'Enter your first name.')
      await visitor.seesError('Last name', 'Enter your last name.')
      await visitor.seesError('Phone', 'Enter your phone number.')
      await visitor.seesError('Email', 'Enter your email address.')
      await visitor.seesHeading('Step 1 of 4')
      // The summary is focused, and its first link leads to the first field.
      await visitor.key('Tab')
      await visitor.key('Enter')
      await visitor.type('Ada')
      await visitor.seesValue('First name', 'Ada')
    },
  },
  {
    title: 'types a ZIP that does not exist',
    javaScript: true,
    async run(visitor, email) {
      await toAddress(visitor, email)
      await visitor.fill('Street address', ada.address)
      await visitor.fill('ZIP code', '00000')
      await visitor.press('Next')
      const message = 'Invalid zip code: please enter another value.'
      await visitor.seesError('ZIP code', message)
      await visitor.seesHeading('Step 2 of 4')
      await visitor.seesValue('Street address', ada.address)
      await answerStep(visitor, 'address')
    },
  },
  {
    title: 'goes on by hand where the address service is down',
    javaScript: true,
    async run(visitor, email) {
      await toAddress(visitor, email)
      await visitor.fill('Street address', ada.address)
      await visitor.fill('ZIP code', '99999')
      await visitor.press('Next')
      await visitor.fill('City', 'Sarasota')
      await visitor.fill('State', 'FL')
      await visitor.press('Next')
      await visitor.seesHeading('Step 3 of 4')
    },
  },
  {
    title: 'reloads twice, and goes a step back by the browser’s Back',
    javaScript: true,
    async run(visitor, email) {
      await visitor.open(business)
      await meetScript(visitor)
      // On a reload, Firefox restores an earlier value of the field. The value that was typed since must win.
      await visitor.fill('Phone', '94155')
      await visitor.reload()
      await visitor.seesKept('Phone', '(941) 55')
      await answerStep(visitor, 'about-you', email)
      await visitor.fill('Street address', ada.address)
      await visitor.fill('ZIP code', ada.zip)
      await visitor.reload()
      await visitor.seesHeading('Step 2 of 4')
      await visitor.seesValue('Street address', ada.address)
      await visitor.seesValue('ZIP code', ada.zip)
      await visitor.back()
      await visitor.seesHeading('Step 1 of 4')
      await visitor.seesValue('Phone', '(941) 555-0100')
      await visitor.seesValue('Email', email)
    },
  },
  {
    title: 'corrects a phone number in its middle',
    javaScript: true,
    async run(visitor) {
      await visitor.open(business)
      await meetScript(visitor)
      await visitor.fill('Phone', ada.phone)
      await visitor.seesValue('Phone', '(941) 555-0100')
      await visitor.key('Home')
      for (let place = 0; place < 3; place += 1) await visitor.key('ArrowRight')
      await visitor.key('Delete')
      await visitor.seesValue('Phone', '(945) 550-100')
      await visitor.type('2')
      await visitor.seesValue('Phone', '(942) 555-0100')
    },
  },
  {
    title: 'chooses by typing a first letter',
    javaScript: true,
    async run(visitor, email) {
      await toAddress(visitor, email)
      await answerStep(visitor, 'address')
      await visitor.focus('Education level')
      await visitor.type('m')
      await visitor.seesChosen('Education level', 'Master’s degree')
      // After a short pause, "a" would continue the search as "ma". Browsers wait about a second before they start a
      // new search.
      await pause(typeAheadResetMs)
      await visitor.type('a')
      await visitor.seesChosen('Education level', 'Associate degree')
    },
  },
  {
    title: 'sends an enquiry without JavaScript',
    javaScript: false,
    async run(visitor, email, product) {
      await visitor.open(business)
      await visitor.fill('Phone', '9')
      await visitor.seesValue('Phone', '9')
      await sendsAnEnquiry(visitor, email, product)
    },
  },
  {
    title: 'types a ZIP that does not exist, without JavaScript',
    javaScript: false,
    async run(visitor, email) {
      await visitor.open(business)
      await visitor.press('Next')
      await visitor.seesHeading('Still needed')
      await visitor.seesError('First name', 'Enter your first name.')
      await answerStep(visitor, 'about-you', email)
      await visitor.fill('Street address', ada.address)
      await visitor.fill('ZIP code', '00000')
      await visitor.press('Next')
      await visitor.seesHeading('Unable to validate address')
      await visitor.seesError('ZIP code', 'Invalid zip code: please enter another value.')
      await visitor.seesValue('Street address', ada.address)
    },
  },
]
