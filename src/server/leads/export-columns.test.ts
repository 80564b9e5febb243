import { expect, test } from 'vitest'
import { exportColumns } from './export-columns.ts'

/** The columns that earlier releases exported. Add a new column at the end of this list, too; never move or rename one. */
const known = [
  'id',
  'received_at',
  'status',
  'area',
  'affiliate',
  'first_name',
  'last_name',
  'phone',
  'email',
  'street',
  'city',
  'state',
  'zip',
  'zip_plus_4',
  'address_verified',
  'education_level_id',
  'graduating_year',
  'program_id',
  'program_name',
  'start_date_id',
  'consent_at',
  'consent_page',
  'consent_ip',
  'consent_user_agent',
  'consent_text_sha256',
  'duplicate_of',
  'erased_at',
  'delivery_id',
  'delivery_settled_as',
  'delivery_settled_at',
  'delivery_attempts',
  'delivery_last_outcome',
  'delivery_next_attempt_at',
  'gpc',
  'erased_by',
  'signals',
  'quarantined_at',
  'released_at',
  'corrects',
  'corrected_by',
  'delivery_settled_by_hand',
  'delivery_restored_at',
  'unreadable',
  'opened_at',
  'delivery_last_reason',
  'delivery_last_response',
  'source',
  'campaign',
  ...['first', 'last'].flatMap((which) =>
    [
      ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'referrer'],
      ...['gclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'ttclid', 'click_id'],
    ].map((part) => `${which}_${part}`),
  ),
]

test('columns keep their places, and new columns follow', () => {
  expect(exportColumns.map(({ name }) => name)).toEqual(known)
})
