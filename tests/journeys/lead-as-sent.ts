import type { DistributorLead } from '#domain/lead/distributor-lead.ts'
import { settingDeclarations } from '#server/config/setting-declarations.ts'
import type { RunningProduct } from '#tests/product/start-process.ts'
import type { Person } from './ada.ts'

/** The parts of the sent lead that the visitor did not type. */
interface Sent {
  readonly subId?: string
  readonly city: string
  readonly state: string
  readonly levelId: number
  readonly programId: number
  readonly rnLicense: 'TRUE' | 'FALSE'
  readonly teachingLicense: 'Yes' | 'No'
}

/** "Lead as sent", written from the specification and not with the product's own code. */
export function leadAsSent(product: RunningProduct, person: Person, sent: Sent): DistributorLead {
  return {
    campaign_code: settingDeclarations.CAMPAIGN_CODE.inDemo,
    ...(sent.subId === undefined ? {} : { subId: sent.subId }),
    lead: {
      firstname: person.firstName,
      lastname: person.lastName,
      phone1: person.phone,
      email: person.email,
      age: new Date().getUTCFullYear() - Number(person.graduationYear) + 18,
      ip: '127.0.0.1',
      test: false,
      media_type: 'noncallcenter',
      gender: 'F',
      signup_url: `${product.url}/`,
      service_trusted_form: settingDeclarations.TRUSTED_FORM_URL.inDemo,
    },
    lead_address: {
      address: person.address,
      city: sent.city,
      state: sent.state,
      zip: person.zip,
    },
    lead_education: {
      grad_year: Number(person.graduationYear),
      education_level_id: sent.levelId,
      program_id: sent.programId,
      campus_id: 1687,
      start_date: settingDeclarations.START_DATE_ID.inDemo,
    },
    lead_background: { rn_license: sent.rnLicense, teaching_license: sent.teachingLicense },
    lead_custom_value: {
      self_directed_rating_wgu: settingDeclarations.SELF_DIRECTED_RATING_ID.inDemo,
      time_to_commit_to_education_wgu: settingDeclarations.TIME_TO_COMMIT_ID.inDemo,
    },
    lead_consent: { tcpa_consent: 'Yes' },
  }
}
