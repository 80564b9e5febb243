import { type LeadsAddress, leadsAddress } from '../leads/leads-address.ts'

/** Where it is asked what is to be done to the leads of a filter: for any page that shows some. */
export const actOnAddress = (address: LeadsAddress): string =>
  leadsAddress(address).replace(/^\/leads/, '/jobs/new')
