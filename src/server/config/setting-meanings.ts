import type { Environment } from './environment.ts'

/** What each setting is, as `npm start -- --help` lists it and as a fault says what is missing. */
export const settingMeanings: Readonly<Record<keyof Environment, string>> = {
  PORT: 'the port that the site listens on; 0 takes any free one',
  HOST: 'the address that the site listens on',
  ROLE: 'web (pages and own API), worker (delivery) or all',
  DATA_DIR: 'the folder of leads.sqlite, on a local disk',
  DATABASE_URL:
    'the address of a PostgreSQL database (postgres://…) to keep leads in; else DATA_DIR',
  SITE_ORIGIN: 'the origin that visitors reach the site at, like https://www.example.edu',
  TRUSTED_PROXIES: 'addresses and networks whose X-Forwarded-For is believed, with commas between',
  LEADS_PER_NETWORK: 'how many enquiries one network may send in ten minutes; 0 sets no limit',
  LOOKUPS_PER_NETWORK:
    'how many address lookups one network may cause in ten minutes; 0 sets no limit',
  APP_MODE:
    'demo (a sandbox on this machine plays the third parties) or production (starts on real values alone)',
  SANDBOX_PORT: 'the port of demo mode’s sandbox, on loopback; 0 takes any free one',
  DISTRIBUTOR_URL: 'the lead distributor’s incoming-leads address',
  DISTRIBUTOR_ENCODING: 'how leads are sent: json or form, as the distributor reads them',
  ADDRESS_CHECK: 'google, or offline (ZIP data and street rules of our own, no account)',
  ADDRESS_VALIDATION_URL:
    'the base address of Address Validation; in production Google’s by default',
  GEOCODING_URL: 'the base address of Geocoding; in production Google’s by default',
  GOOGLE_MAPS_API_KEY: 'the key of your Google Maps Platform account',
  IP_LOOKUP_URL:
    'the IP service’s address, {ip} standing for the visitor’s; empty sends the address as seen',
  FALLBACK_IP: 'the IP address that is sent where the IP service knows none',
  CAMPAIGN_CODE: 'the campaign code that your distributor gave you',
  SIGNUP_URL: 'the address of the sign-up page as your distributor knows it; in demo mode the site',
  TRUSTED_FORM_URL: 'the TrustedForm certificate link that leads are sent with',
  START_DATE_ID: 'your distributor’s id of the start date "1-3 Months"',
  SELF_DIRECTED_RATING_ID: 'your distributor’s id of the answer to self_directed_rating_wgu',
  TIME_TO_COMMIT_ID: 'your distributor’s id of the answer to time_to_commit_to_education_wgu',
  AFFILIATE_PARAM: 'the query parameter that carries the affiliate’s id, in any case',
  UNSUBSCRIBE_URL: 'the address of your unsubscribe form',
  PRIVACY_EMAIL: 'the email address that privacy requests go to',
  SCHOOL_NAME: 'the school’s name as visitors read it',
  OPERATOR_NAME: 'the name of the company that runs this site, for the legal pages',
  PIXEL_URL_HEALTHCARE:
    'the healthcare thank-you screen’s pixel, with {leadId} and {subId}; empty does without',
  PIXEL_URL_TECHNOLOGY: 'the technology thank-you screen’s pixel; empty does without',
  PIXEL_URL_DEFAULT: 'every other thank-you screen’s pixel; empty does without',
  DELIVERY_RETRY_SCHEDULE: 'the waits between delivery tries; after the last the delivery is dead',
  DELIVERY_TIMEOUT: 'how long one delivery try may take',
  DELIVERY_LEASE: 'how long a worker has a delivery to itself; a killed one’s is taken over then',
  DELIVERY_CONCURRENCY: 'how many deliveries a worker makes at once',
  DRAIN_DELAY:
    'how long a process that stops still serves, so that a load balancer sees it leave; at most 3s',
  RETENTION_DAYS: 'how many days a lead’s answers are kept; without it they are kept for ever',
  LOG_LEVEL: 'trace, debug, info, warn, error, fatal or silent',
}
