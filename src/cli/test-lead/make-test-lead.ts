import { disclosure } from '#content/disclosure.ts'
import { educationLevels, isOpenTo, type Program } from '#domain/catalogue/catalogue.ts'
import type { Answers } from '#domain/enquiry/enquiry.ts'
import { startDates } from '#domain/enquiry/rules.ts'
import { asTest, type DistributorLead, toDistributorLead } from '#domain/lead/distributor-lead.ts'
import type { Settings } from '#server/config/settings.ts'
import { makeNewLead } from '#server/enquiries/new-lead.ts'

/** Numbers that the North American plan keeps for fiction end in 555-0100 to 555-0199. */
const nobodysPhone = '9415550100'

export interface TestPerson {
  readonly program: Program
  readonly email: string
}

/** A lead without a person, as the server would send it, but marked as a test. Nothing keeps it. */
export function makeTestLead(settings: Settings, { program, email }: TestPerson): DistributorLead {
  const level = educationLevels.find(({ id }) => isOpenTo(program, id)) ?? educationLevels[0]
  const newLead = makeNewLead({
    clock: Date.now,
    disclosure: disclosure(settings.names.school),
  })
  const answers: Answers = {
    firstName: 'Test',
    lastName: 'Lead',
    phone: nobodysPhone,
    email,
    address: '123 Main St',
    zip: '34236',
    city: 'Sarasota',
    state: 'FL',
    previousEducation: String(level.id),
    graduatingYear: '2012',
    desiredProgram: String(program.id),
    startDate: startDates[0].id,
    confirmation: 'on',
  }
  const lead = newLead(
    {
      area: 'general',
      answers,
      program,
      addressVerified: false,
      zipPlus4: undefined,
      subId: undefined,
    },
    {
      ip: settings.fallbackIp,
      userAgent: '',
      pageUrl: settings.siteOrigin,
      gpc: false,
      openFor: undefined,
    },
  )
  return asTest(toDistributorLead(lead, settings.campaign, settings.fallbackIp))
}
