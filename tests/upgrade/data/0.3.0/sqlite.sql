pragma foreign_keys = off;
CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
CREATE TABLE leads (
      id text primary key, idempotency_key text not null unique, same_enquiry_hash text not null,
      received_at bigint not null, area text not null, email text not null,
      duplicate_of text references leads (id) on delete set null, payload text not null, erased_at bigint,
      signals text, quarantined_at bigint, released_at bigint, erased_by text,
      corrects text references leads (id) on delete set null deferrable initially deferred
    );
CREATE INDEX leads_newest on leads (received_at, id);
CREATE TABLE disclosures (hash text primary key, text text not null);
CREATE TABLE consents (
      lead_id text primary key references leads (id) on delete cascade,
      disclosure_hash text not null references disclosures (hash), agreed_at bigint not null,
      ip text not null, user_agent text not null, page_url text not null
    );
CREATE TABLE enquirers (
      same_enquiry_hash text primary key, lead_id text not null references leads (id) on delete cascade,
      received_at bigint not null
    );
CREATE TABLE deliveries (
      id text primary key, lead_id text not null unique references leads (id) on delete cascade,
      created_at bigint not null, attempts integer default 0 not null, next_at bigint not null, lease text,
      leased_until bigint, settled_as text, settled_at bigint, spared integer default 0 not null,
      unknown_attempts integer default 0 not null, possible_duplicates integer default 0 not null,
      waits_since bigint, settled_because text, lead_erased_at bigint, settled_by_hand_at bigint,
      restored_at bigint
    );
CREATE INDEX deliveries_due on deliveries (next_at, id) where settled_at is null;
CREATE TABLE attempts (
      id text primary key, delivery_id text not null references deliveries (id) on delete cascade,
      started_at bigint not null, duration_ms bigint not null, outcome text not null, http_status integer,
      detail text, reason text, error_code text, retry_after_ms bigint
    );
CREATE INDEX attempts_of_delivery on attempts (delivery_id);
CREATE TABLE delivery_gate (
      id integer primary key, paused_by text, pause_reason text, paused_at bigint, outage_since bigint,
      failed_probes integer default 0 not null, probe text, probe_at bigint,
      refused_probes integer default 0 not null, akin_refused_probes integer default 0 not null,
      enough_refusals integer default 0 not null, patient_until bigint, repeat_at bigint,
      start_probe_at bigint, answered_probes integer default 0 not null
    );
CREATE INDEX deliveries_waiting on deliveries (waits_since)
      where settled_at is null and waits_since is not null;
CREATE INDEX deliveries_settled_because on deliveries (settled_because)
      where settled_because is not null;
CREATE INDEX deliveries_possibly_sent_twice on deliveries (possible_duplicates)
      where possible_duplicates > 0;
CREATE INDEX attempts_by_outcome on attempts (outcome);
CREATE INDEX leads_erased on leads (received_at, id) where erased_at is not null;
CREATE INDEX leads_duplicate on leads (received_at, id) where duplicate_of is not null;
CREATE INDEX deliveries_by_standing on deliveries (settled_as, created_at, lead_id);
CREATE TABLE secrets (name text primary key, value text not null);
CREATE INDEX leads_erased_by on leads (erased_by) where erased_by is not null;
CREATE INDEX deliveries_of_erased on deliveries (settled_as) where lead_erased_at is not null;
CREATE INDEX leads_corrections on leads (corrects) where corrects is not null;
CREATE INDEX leads_repeating on leads (duplicate_of) where duplicate_of is not null;
CREATE TABLE moves (place text not null, moved_at bigint not null);
CREATE INDEX deliveries_restored on deliveries (created_at, lead_id)
      where restored_at is not null and settled_at is null;
CREATE TABLE operators (
      id text primary key, email text not null unique, role text not null, created_at bigint not null,
      disabled_at bigint
    );
CREATE TABLE operator_credentials (
      id text primary key, operator_id text not null references operators (id), kind text not null,
      secret text not null, counter bigint default 0 not null, created_at bigint not null, used_at bigint
    );
CREATE INDEX operator_credentials_of on operator_credentials (operator_id, kind);
CREATE TABLE operator_links (
      code_hash text primary key, operator_id text not null references operators (id), purpose text not null,
      expires_at bigint not null
    );
CREATE INDEX operator_links_of on operator_links (operator_id, purpose);
CREATE TABLE operator_sessions (
      token_hash text primary key, id text not null unique,
      operator_id text not null references operators (id), began_at bigint not null, seen_at bigint not null,
      strong_at bigint not null, network text not null, browser text not null
    );
CREATE INDEX operator_sessions_of on operator_sessions (operator_id);
CREATE TABLE sign_in_failures (
      key text primary key, count integer not null, last_at bigint not null, free_at bigint not null
    );
CREATE INDEX sign_in_failures_last on sign_in_failures (last_at);
CREATE TABLE audit (
      id text primary key, at bigint not null, via text not null, operator_id text, "system_user" text,
      network text, action text not null, subject text, reason text
    );
CREATE TABLE audit_outcomes (audit_id text primary key references audit (id), outcome text not null);
CREATE INDEX audit_of_operator on audit (operator_id, id) where operator_id is not null;
CREATE INDEX audit_of_action on audit (action, id);
CREATE INDEX audit_of_subject on audit (subject, id) where subject is not null;
CREATE TABLE lead_changes (seq integer primary key, lead_id text not null, at bigint not null default (cast(unixepoch('subsec') * 1000 as integer)));
CREATE TABLE lead_index (
      lead_id text primary key, received_at bigint not null, status text not null, area text not null,
      program integer, affiliate text, state text, verified integer, attempts integer not null, error text,
      error_group text, failed_at bigint
    , source text, campaign text, device text, returned_at bigint, rejected_because text, personal_origins integer, affiliate_key text, source_key text, campaign_key text);
CREATE INDEX lead_index_newest on lead_index (received_at, lead_id);
CREATE INDEX lead_index_status on lead_index (status, received_at, lead_id)
        where status is not null;
CREATE INDEX lead_index_area on lead_index (area, received_at, lead_id)
        where area is not null;
CREATE INDEX lead_index_program on lead_index (program, received_at, lead_id)
        where program is not null;
CREATE INDEX lead_index_affiliate on lead_index (affiliate, received_at, lead_id)
        where affiliate is not null;
CREATE INDEX lead_index_state on lead_index (state, received_at, lead_id)
        where state is not null;
CREATE INDEX lead_index_error on lead_index (error, received_at, lead_id)
        where error is not null;
CREATE INDEX lead_index_error_group on lead_index (error_group, received_at, lead_id)
        where error_group is not null;
CREATE TABLE lead_keys (
      key text not null, received_at bigint not null, lead_id text not null,
      constraint lead_keys_key primary key (key, received_at, lead_id)
    );
CREATE INDEX lead_keys_of on lead_keys (lead_id);
CREATE TABLE lead_searches (
      id text primary key, operator_id text not null, keys text not null, created_at bigint not null
    );
CREATE TABLE saved_views (
      id text primary key, operator_id text not null, name text not null, query text not null,
      is_shared integer not null, created_at bigint not null
    );
CREATE TABLE jobs (
      id text primary key, action text not null, query text not null, is_of_search integer not null,
      search_keys text, operator_id text, "system_user" text, network text, phase text not null,
      planned_at bigint not null, plan text not null, reason text, rate integer not null, started_at bigint,
      reached_at bigint, reached_id text, members integer default 0 not null, done integer default 0 not null,
      report text default '{}' not null, running_since bigint, running_from integer default 0 not null,
      paused_at bigint, cancelled_at bigint, ended_at bigint, members_removed_at bigint, lease text,
      leased_until bigint
    );
CREATE INDEX jobs_under_way on jobs (id) where ended_at is null;
CREATE INDEX jobs_with_members on jobs (ended_at) where members_removed_at is null;
CREATE TABLE job_members (
      job_id text not null references jobs (id), position integer not null, lead_id text not null,
      outcome text, detail text, at bigint, constraint job_members_place primary key (job_id, position)
    );
CREATE INDEX job_members_outcome on job_members (job_id, outcome, position) where outcome is not null;
CREATE INDEX job_members_of_lead on job_members (lead_id);
CREATE TABLE delivery_holds (
      id text primary key, kind text not null, reason text not null, began_at bigint not null,
      ended_at bigint, is_open integer not null, begun_by_operator text, begun_by_user text,
      ended_by_operator text, ended_by_user text, end_reason text, noticed_at bigint
    );
CREATE INDEX delivery_holds_newest on delivery_holds (began_at, id);
CREATE TABLE error_groups (id text primary key, error text not null, words text not null);
CREATE INDEX lead_index_failed on lead_index (error_group, status, failed_at, lead_id)
      where error_group is not null;
CREATE TABLE delivery_rollups (
      from_at bigint primary key, delivered integer not null, rejected integer not null,
      failed integer not null, waits text not null, calls text not null, waiting integer, oldest_at bigint
    );
CREATE TABLE held_releases (
      lead_id text primary key, due_at bigint not null, operator_id text not null, audit_id text not null
    );
CREATE TABLE export_progress (
      id text primary key, operator_id text not null, began_at bigint not null, done integer not null,
      state text not null
    );
CREATE INDEX leads_in_quarantine on leads (received_at, id)
      where quarantined_at is not null and released_at is null and erased_at is null;
CREATE INDEX lead_index_unverified on lead_index (received_at, lead_id) where verified = 0;
CREATE INDEX lead_index_attempts on lead_index ((case when attempts = 0 then 0 when attempts < 5 then 2 when attempts < 20 then 5 else 20 end), received_at, lead_id)
      where attempts <> 1;
CREATE INDEX audit_of_user on audit ("system_user", id) where "system_user" is not null;
CREATE TABLE lead_news (seq integer primary key, leads text not null);
CREATE TABLE kept_forms (id_hash text primary key, sealed text not null, expires_at bigint not null);
CREATE INDEX audit_operator_id_did on audit (("operator_id" || '|' || action), id)
        where "operator_id" is not null;
CREATE INDEX audit_system_user_did on audit (("system_user" || '|' || action), id)
        where "system_user" is not null;
CREATE INDEX audit_via_did on audit (("via" || '|' || action), id)
        where "via" is not null;
CREATE INDEX audit_via on audit (via, id);
CREATE TABLE delivery_endings (
      delivery_id text not null, settled_as text not null, settled_at bigint not null,
      is_by_hand integer not null, owed_again_at bigint not null,
      constraint delivery_endings_key primary key (delivery_id, owed_again_at)
    );
CREATE TABLE leads_to_index (lead_id text primary key);
CREATE INDEX lead_index_source on lead_index (source, received_at, lead_id) where source is not null;
CREATE INDEX lead_index_campaign on lead_index (campaign, received_at, lead_id) where campaign is not null;
CREATE INDEX lead_index_returned on lead_index (received_at, lead_id) where returned_at is not null;
CREATE TABLE visits (
    id text primary key, began_at bigint not null, seen_at bigint not null, area text not null,
    device text not null, program integer, source text, campaign text, affiliate text,
    progress text not null, folded_at bigint
  );
CREATE INDEX visits_open on visits (seen_at) where folded_at is null;
CREATE TABLE funnel_counts (
    scope text not null, from_at bigint not null, group_id bigint not null, area text, source text,
    campaign text, affiliate text, device text, program integer, seen bigint not null,
    started bigint not null, details text not null, primary key (scope, from_at, group_id)
  ) without rowid;
CREATE TABLE affiliates (
    id text primary key, name text not null unique, notes text not null, payout_cents integer,
    postback_url text, created_at bigint not null
  );
CREATE TABLE affiliate_ids (affid text primary key, affiliate_id text not null);
CREATE INDEX affiliate_ids_affiliate on affiliate_ids (affiliate_id);
CREATE TABLE webhooks (
    id text primary key, url text not null, events text not null, sends_personal_data integer not null,
    secret text not null, created_at bigint not null
  );
CREATE TABLE notifications (
    id text primary key, kind text not null, destination text not null, subject text not null,
    lead_id text references leads (id) on delete cascade, event text not null, event_at bigint not null,
    event_reason text, created_at bigint not null, attempts integer default 0 not null, next_at bigint not null,
    lease text, leased_until bigint, tried_at bigint, settled_as text, settled_at bigint, settled_because text,
    spared integer default 0 not null, waits_since bigint, unknown_attempts integer default 0 not null,
    possible_duplicates integer default 0 not null, http_status integer, error text, reply text
  );
CREATE UNIQUE INDEX notifications_once on notifications (kind, destination, subject);
CREATE INDEX notifications_due on notifications (kind, destination, next_at, id)
    where settled_at is null;
CREATE INDEX notifications_newest on notifications (kind, destination, created_at);
CREATE INDEX notifications_sent on notifications (kind, destination, settled_at)
    where settled_as = 'delivered';
CREATE INDEX notifications_of_lead on notifications (lead_id);
CREATE INDEX notifications_settled on notifications (settled_at) where settled_at is not null;
CREATE TABLE notification_gates (
    id text primary key, paused_by text, pause_reason text, paused_at bigint, outage_since bigint,
    failed_probes integer default 0 not null, refused_probes integer default 0 not null,
    akin_refused_probes integer default 0 not null, answered_probes integer default 0 not null, probe text,
    probe_at bigint, repeat_at bigint, start_probe_at bigint
  );
CREATE TABLE caps (
    id text primary key, program integer, affiliate_id text, state text, max_leads integer,
    period text not null, opens_at integer, closes_at integer, blocked_states text not null,
    follows_distributor integer not null, full_since bigint, created_at bigint not null
  );
CREATE TABLE cap_uses (
    cap_id text not null references caps (id) on delete cascade, period text not null,
    delivery_id text not null references deliveries (id) on delete cascade, used_at bigint not null,
    primary key (cap_id, period, delivery_id)
  );
CREATE INDEX cap_uses_of_delivery on cap_uses (delivery_id);
CREATE TABLE held_deliveries (
    delivery_id text primary key references deliveries (id) on delete cascade,
    cap_id text not null references caps (id) on delete cascade, until_at bigint not null,
    because text not null
  );
CREATE INDEX held_deliveries_of_cap on held_deliveries (cap_id);
CREATE TABLE returns (
    lead_id text primary key references leads (id) on delete cascade, returned_at bigint not null, reason text,
    imported_at bigint not null
  );
CREATE INDEX returns_imported on returns (imported_at);
CREATE TABLE return_columns (field text primary key, heading text not null);
CREATE TABLE alert_state (
    id integer primary key, holder text not null, held_until bigint not null, told text not null
  );
CREATE TABLE audit_changes (
        audit_id text primary key references audit (id), target text, changes text not null
      );
CREATE INDEX lead_index_rejected on lead_index (rejected_because, received_at, lead_id)
        where rejected_because is not null;
CREATE INDEX lead_index_affiliate_key on lead_index (affiliate_key, received_at, lead_id)
          where affiliate_key is not null;
CREATE INDEX lead_index_source_key on lead_index (source_key, received_at, lead_id)
          where source_key is not null;
CREATE INDEX lead_index_campaign_key on lead_index (campaign_key, received_at, lead_id)
          where campaign_key is not null;
CREATE TABLE clock_differences (
      server text primary key, ahead_ms bigint not null, seen_at bigint not null
    );
CREATE TABLE store_mode (mode text not null);
insert into "kysely_migration" values ('0001-leads-and-deliveries', '2026-11-28T12:30:14.611Z');
insert into "kysely_migration" values ('0002-delivery-gate', '2026-11-28T12:30:14.612Z');
insert into "kysely_migration" values ('0003-erased-leads', '2026-11-28T12:30:14.613Z');
insert into "kysely_migration" values ('0004-quarantine', '2026-11-28T12:30:14.614Z');
insert into "kysely_migration" values ('0005-retention', '2026-11-28T12:30:14.615Z');
insert into "kysely_migration" values ('0006-attempt-reasons', '2026-11-28T12:30:14.616Z');
insert into "kysely_migration" values ('0007-corrections', '2026-11-28T12:30:14.617Z');
insert into "kysely_migration" values ('0008-breaker-probes', '2026-11-28T12:30:14.618Z');
insert into "kysely_migration" values ('0009-who-was-not-taken-holds-nobody', '2026-11-28T12:30:14.619Z');
insert into "kysely_migration" values ('0010-moves-and-restores', '2026-11-28T12:30:14.620Z');
insert into "kysely_migration" values ('0011-answered-probes', '2026-11-28T12:30:14.621Z');
insert into "kysely_migration" values ('0012-operators', '2026-11-28T12:30:14.622Z');
insert into "kysely_migration" values ('0013-lead-index', '2026-11-28T12:30:14.623Z');
insert into "kysely_migration" values ('0014-jobs', '2026-11-28T12:30:14.624Z');
insert into "kysely_migration" values ('0015-delivery-history', '2026-11-28T12:30:14.625Z');
insert into "kysely_migration" values ('0016-quarantine-filters-and-exports', '2026-11-28T12:30:14.626Z');
insert into "kysely_migration" values ('0017-lead-news', '2026-11-28T12:30:14.627Z');
insert into "kysely_migration" values ('0018-kept-forms', '2026-11-28T12:30:14.628Z');
insert into "kysely_migration" values ('0020-acts-by-whom', '2026-11-28T12:30:14.629Z');
insert into "kysely_migration" values ('0021-what-a-delivery-was-before', '2026-11-28T12:30:14.630Z');
insert into "kysely_migration" values ('0022-since-release-0.2.0', '2026-11-28T12:30:14.637Z');
insert into "kysely_migration" values ('0023-audit-changes', '2026-11-28T12:30:14.638Z');
insert into "kysely_migration" values ('0024-last-rejection', '2026-11-28T12:30:14.639Z');
insert into "kysely_migration" values ('0025-find-origins-in-any-case', '2026-11-28T12:30:14.644Z');
insert into "kysely_migration" values ('0026-clock-differences', '2026-11-28T12:30:14.645Z');
insert into "kysely_migration" values ('0028-store-mode', '2026-11-28T12:30:14.646Z');
insert into "kysely_migration_lock" values ('migration_lock', 0);
insert into "leads" values ('01a22222-7a78-7be5-b150-7e3f7833ce18', '240ec1fc-e7ec-49cd-a945-94b4832dd8c4', 'f14912a002a53e1dd0e69c5bddd8878e6e7a2e95291d7231cb631e6670377a2f', 1768477800000, 'healthcare', 'pending@example.com', null, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false,"openedAt":null,"attribution":{"first":{"utm_source":"google","gclid":"click 1"},"last":{"utm_source":"news","utm_campaign":"spring sale","referrer":"news.example"}},"educationLevelId":790}', null, null, null, null, null, null);
insert into "leads" values ('01a22222-7a81-7754-9e82-6fc0c56dca47', '3b1d0d31-c74e-4807-8d59-e31ce2e8a7f5', '448c5993fcff65619368de3c4534d9be8de83f337d2a7d02f99cfc38dde18287', 1768477860000, 'healthcare', 'leased@example.com', null, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false,"openedAt":null,"attribution":{"first":{"utm_source":"google","gclid":"click 1"},"last":{"utm_source":"news","utm_campaign":"spring sale","referrer":"news.example"}},"educationLevelId":790}', null, null, null, null, null, null);
insert into "leads" values ('01a22222-7a85-7475-8e21-bf2484710280', 'b54a574e-e54d-4e18-ba66-d206a9504866', 'e2dff70168aa7881b89fd39dc49c0594225de70c3b06c81704ae09d64c0e93b9', 1768477920000, 'healthcare', 'delivered@example.com', null, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false,"openedAt":1768477830000,"attribution":{"first":{"utm_source":"google","gclid":"click 1"},"last":{"utm_source":"news","utm_campaign":"spring sale","referrer":"news.example"}},"educationLevelId":790}', null, null, null, null, null, null);
insert into "leads" values ('01a22222-7a87-768a-8214-33615ade6d12', '1e9d2a6e-0ac1-412b-992f-360b41697a72', '9e8ac23142c306e2942540df3787bd1d96ef6ab9ea7d4bcfaacd0d54ecd4f470', 1768477980000, 'healthcare', 'rejected@example.com', null, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false,"openedAt":null,"attribution":{"first":{"utm_source":"google","gclid":"click 1"},"last":{"utm_source":"news","utm_campaign":"spring sale","referrer":"news.example"}},"educationLevelId":790}', null, null, null, null, null, null);
insert into "leads" values ('01a22222-7a8a-706c-ac72-5d0150a168d8', '05433be2-31d2-463a-8041-1d3080eb4ef8', '76139d96fa38ca03dc9e7d0dbae7a198aa29a7366e08f0e601e46cce5291bdab', 1768478040000, 'healthcare', 'dead@example.com', null, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false,"openedAt":null,"attribution":{"first":{"utm_source":"google","gclid":"click 1"},"last":{"utm_source":"news","utm_campaign":"spring sale","referrer":"news.example"}},"educationLevelId":790}', null, null, null, null, null, null);
insert into "leads" values ('01a22222-7a8b-7d0f-b8ad-4373ecfa52e5', '03d1c1a7-1878-441b-9c52-9cffa1066328', 'e2dff70168aa7881b89fd39dc49c0594225de70c3b06c81704ae09d64c0e93b9', 1768478100000, 'healthcare', 'delivered@example.com', '01a22222-7a85-7475-8e21-bf2484710280', '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false,"openedAt":null,"attribution":{"first":{"utm_source":"google","gclid":"click 1"},"last":{"utm_source":"news","utm_campaign":"spring sale","referrer":"news.example"}},"educationLevelId":790}', null, null, null, null, null, null);
insert into "leads" values ('01a22222-7a8e-72d0-8b95-387a64ff000b', '9917fa8b-fe54-43ff-a1f4-201f0cf1ba63', '61471983c4aef52425407179ccd976b59fe9d72344f1eb1cf6dc55b04cffa5b2', 1768478160000, 'healthcare', 'quarantined@example.com', null, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false,"openedAt":null,"attribution":{"first":{"utm_source":"google","gclid":"click 1"},"last":{"utm_source":"news","utm_campaign":"spring sale","referrer":"news.example"}},"educationLevelId":790}', null, '["too-fast"]', 1768478160000, null, null, null);
insert into "leads" values ('01a22222-7a8f-7776-98cb-1bf433f80fd3', '794c0d1b-a1f6-4a26-b69a-f7852d681bb9', '', 1768478220000, 'healthcare', '', null, '{"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"gpc":false}', 1768478400000, null, null, null, 'request', null);
insert into "disclosures" values ('fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 'I agree that the school may email me — at any time.');
insert into "consents" values ('01a22222-7a78-7be5-b150-7e3f7833ce18', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
insert into "consents" values ('01a22222-7a81-7754-9e82-6fc0c56dca47', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
insert into "consents" values ('01a22222-7a85-7475-8e21-bf2484710280', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
insert into "consents" values ('01a22222-7a87-768a-8214-33615ade6d12', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
insert into "consents" values ('01a22222-7a8a-706c-ac72-5d0150a168d8', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
insert into "consents" values ('01a22222-7a8b-7d0f-b8ad-4373ecfa52e5', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
insert into "consents" values ('01a22222-7a8e-72d0-8b95-387a64ff000b', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
insert into "consents" values ('01a22222-7a8f-7776-98cb-1bf433f80fd3', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '', '', 'https://school.example/healthcare');
insert into "enquirers" values ('f14912a002a53e1dd0e69c5bddd8878e6e7a2e95291d7231cb631e6670377a2f', '01a22222-7a78-7be5-b150-7e3f7833ce18', 1768477800000);
insert into "enquirers" values ('448c5993fcff65619368de3c4534d9be8de83f337d2a7d02f99cfc38dde18287', '01a22222-7a81-7754-9e82-6fc0c56dca47', 1768477860000);
insert into "enquirers" values ('e2dff70168aa7881b89fd39dc49c0594225de70c3b06c81704ae09d64c0e93b9', '01a22222-7a85-7475-8e21-bf2484710280', 1768477920000);
insert into "deliveries" values ('01a22222-7a80-7cde-9230-8aefa2971050', '01a22222-7a78-7be5-b150-7e3f7833ce18', 1768477800000, 1, 1768478700000, null, null, null, null, 0, 1, 0, 1768478400005, null, null, null, null);
insert into "deliveries" values ('01a22222-7a82-7d90-b1d5-62c06c028a94', '01a22222-7a81-7754-9e82-6fc0c56dca47', 1768477860000, 0, 1768478460000, '01a22222-7aa4-79a8-986d-147651a189cd', 1768478460000, null, null, 0, 0, 0, null, null, null, null, null);
insert into "deliveries" values ('01a22222-7a86-7ba5-883e-ce1570a76c15', '01a22222-7a85-7475-8e21-bf2484710280', 1768477920000, 1, 1768478460000, null, null, 'delivered', 1768478400005, 0, 0, 0, null, null, null, null, null);
insert into "deliveries" values ('01a22222-7a89-76b8-99c0-492235f3c1b8', '01a22222-7a87-768a-8214-33615ade6d12', 1768477980000, 1, 1768478460000, null, null, 'rejected', 1768478400005, 0, 0, 0, null, 'cap', null, null, null);
insert into "deliveries" values ('01a22222-7a8b-7d5d-9a42-8a6203ee076e', '01a22222-7a8a-706c-ac72-5d0150a168d8', 1768478040000, 1, 1768478460000, null, null, 'dead', 1768478400005, 0, 0, 0, null, null, null, null, null);
insert into "deliveries" values ('01a22222-7a90-7507-998b-0fc0c174c74f', '01a22222-7a8f-7776-98cb-1bf433f80fd3', 1768478220000, 0, 1768478220000, null, null, 'erased', 1768478400000, 0, 0, 0, null, null, 1768478400000, null, null);
insert into "attempts" values ('01a22222-7aae-7122-886f-da4b83fc0fc1', '01a22222-7a80-7cde-9230-8aefa2971050', 1768478400000, 5, 'unknown', null, null, 'timeout', null, null);
insert into "attempts" values ('01a22222-7ab6-7951-95e7-03b6c8227172', '01a22222-7a86-7ba5-883e-ce1570a76c15', 1768478400000, 5, 'delivered', 200, null, null, null, null);
insert into "attempts" values ('01a22222-7ab9-77e9-acc5-39db51e34599', '01a22222-7a89-76b8-99c0-492235f3c1b8', 1768478400000, 5, 'rejected', 200, 'Reached the monthly offer cap', 'cap', null, null);
insert into "attempts" values ('01a22222-7ac0-702f-b10d-951cc616ae8f', '01a22222-7a8b-7d5d-9a42-8a6203ee076e', 1768478400000, 5, 'broken', 500, 'no: dead@example.com', 'server-error', null, null);
insert into "delivery_gate" values (1, null, null, null, null, 0, null, null, 0, 0, 0, null, null, null, 0);
insert into "secrets" values ('lead keys', 'Ld2XnJJtCQn8-lnQHNvektdU3hL09ARQYGfnHAuHAGY');
insert into "secrets" values ('proof of work', 'of that release');
insert into "lead_index" values ('01a22222-7a78-7be5-b150-7e3f7833ce18', 1768477800000, 'owed', 'healthcare', 12, 'affiliate 7', 'FL', 1, 1, 'timeout', 'timeout~w2l3DliJ', 1768478400000, 'news', 'spring sale', null, null, null, null, 'affiliate 7', 'news', 'spring sale');
insert into "lead_index" values ('01a22222-7a81-7754-9e82-6fc0c56dca47', 1768477860000, 'owed', 'healthcare', 12, 'affiliate 7', 'FL', 1, 0, null, null, null, 'news', 'spring sale', null, null, null, null, 'affiliate 7', 'news', 'spring sale');
insert into "lead_index" values ('01a22222-7a85-7475-8e21-bf2484710280', 1768477920000, 'delivered', 'healthcare', 12, 'affiliate 7', 'FL', 1, 1, null, null, null, 'news', 'spring sale', null, null, null, null, 'affiliate 7', 'news', 'spring sale');
insert into "lead_index" values ('01a22222-7a87-768a-8214-33615ade6d12', 1768477980000, 'rejected', 'healthcare', 12, 'affiliate 7', 'FL', 1, 1, 'cap', 'cap~L82r4nkK', 1768478400000, 'news', 'spring sale', null, null, 'cap', null, 'affiliate 7', 'news', 'spring sale');
insert into "lead_index" values ('01a22222-7a8a-706c-ac72-5d0150a168d8', 1768478040000, 'dead', 'healthcare', 12, 'affiliate 7', 'FL', 1, 1, '500', '500~dXZZ8CUl', 1768478400000, 'news', 'spring sale', null, null, null, null, 'affiliate 7', 'news', 'spring sale');
insert into "lead_index" values ('01a22222-7a8b-7d0f-b8ad-4373ecfa52e5', 1768478100000, 'duplicate', 'healthcare', 12, 'affiliate 7', 'FL', 1, 0, null, null, null, 'news', 'spring sale', null, null, null, null, 'affiliate 7', 'news', 'spring sale');
insert into "lead_index" values ('01a22222-7a8e-72d0-8b95-387a64ff000b', 1768478160000, 'quarantined', 'healthcare', 12, 'affiliate 7', 'FL', 1, 0, null, null, null, 'news', 'spring sale', null, null, null, null, 'affiliate 7', 'news', 'spring sale');
insert into "lead_index" values ('01a22222-7a8f-7776-98cb-1bf433f80fd3', 1768478220000, 'erased', 'healthcare', 12, null, null, null, 0, null, null, null, null, null, null, null, null, null, null, null, null);
insert into "lead_keys" values ('4ai_tF7pzITfiPKfXzu1Dx', 1768477800000, '01a22222-7a78-7be5-b150-7e3f7833ce18');
insert into "lead_keys" values ('xTNT5jzeOeWVLi4ezevF3M', 1768477800000, '01a22222-7a78-7be5-b150-7e3f7833ce18');
insert into "lead_keys" values ('NQRz-p4qI4EtwtNCQaYWJT', 1768477800000, '01a22222-7a78-7be5-b150-7e3f7833ce18');
insert into "lead_keys" values ('vi3GF3hpAKulQJRMjC7xVF', 1768477860000, '01a22222-7a81-7754-9e82-6fc0c56dca47');
insert into "lead_keys" values ('xTNT5jzeOeWVLi4ezevF3M', 1768477860000, '01a22222-7a81-7754-9e82-6fc0c56dca47');
insert into "lead_keys" values ('NQRz-p4qI4EtwtNCQaYWJT', 1768477860000, '01a22222-7a81-7754-9e82-6fc0c56dca47');
insert into "lead_keys" values ('i10b6L0RfYp7xPykZpZfgR', 1768477920000, '01a22222-7a85-7475-8e21-bf2484710280');
insert into "lead_keys" values ('xTNT5jzeOeWVLi4ezevF3M', 1768477920000, '01a22222-7a85-7475-8e21-bf2484710280');
insert into "lead_keys" values ('NQRz-p4qI4EtwtNCQaYWJT', 1768477920000, '01a22222-7a85-7475-8e21-bf2484710280');
insert into "lead_keys" values ('wUEte1Ys0CJDSeDvsKnFjn', 1768477980000, '01a22222-7a87-768a-8214-33615ade6d12');
insert into "lead_keys" values ('xTNT5jzeOeWVLi4ezevF3M', 1768477980000, '01a22222-7a87-768a-8214-33615ade6d12');
insert into "lead_keys" values ('NQRz-p4qI4EtwtNCQaYWJT', 1768477980000, '01a22222-7a87-768a-8214-33615ade6d12');
insert into "lead_keys" values ('Db931pjmn1xijJqvGnzeaV', 1768478040000, '01a22222-7a8a-706c-ac72-5d0150a168d8');
insert into "lead_keys" values ('xTNT5jzeOeWVLi4ezevF3M', 1768478040000, '01a22222-7a8a-706c-ac72-5d0150a168d8');
insert into "lead_keys" values ('NQRz-p4qI4EtwtNCQaYWJT', 1768478040000, '01a22222-7a8a-706c-ac72-5d0150a168d8');
insert into "lead_keys" values ('i10b6L0RfYp7xPykZpZfgR', 1768478100000, '01a22222-7a8b-7d0f-b8ad-4373ecfa52e5');
insert into "lead_keys" values ('xTNT5jzeOeWVLi4ezevF3M', 1768478100000, '01a22222-7a8b-7d0f-b8ad-4373ecfa52e5');
insert into "lead_keys" values ('NQRz-p4qI4EtwtNCQaYWJT', 1768478100000, '01a22222-7a8b-7d0f-b8ad-4373ecfa52e5');
insert into "lead_keys" values ('gEjJ9OBlg88Vjsf-T3GxLB', 1768478160000, '01a22222-7a8e-72d0-8b95-387a64ff000b');
insert into "lead_keys" values ('xTNT5jzeOeWVLi4ezevF3M', 1768478160000, '01a22222-7a8e-72d0-8b95-387a64ff000b');
insert into "lead_keys" values ('NQRz-p4qI4EtwtNCQaYWJT', 1768478160000, '01a22222-7a8e-72d0-8b95-387a64ff000b');
insert into "lead_keys" values ('signal:too-fast', 1768478160000, '01a22222-7a8e-72d0-8b95-387a64ff000b');
insert into "error_groups" values ('timeout~w2l3DliJ', 'timeout', '');
insert into "error_groups" values ('cap~L82r4nkK', 'cap', 'Reached the monthly offer cap');
insert into "error_groups" values ('500~dXZZ8CUl', '500', 'no: …');
insert into "delivery_rollups" values (1768478400000, 1, 1, 2, '{}', '{}', null, null);
CREATE TRIGGER audit_no_update before update on audit begin select raise(abort, 'the audit is append-only'); end;
CREATE TRIGGER audit_no_delete before delete on audit begin select raise(abort, 'the audit is append-only'); end;
CREATE TRIGGER audit_outcomes_no_update before update on audit_outcomes begin select raise(abort, 'the audit is append-only'); end;
CREATE TRIGGER audit_outcomes_no_delete before delete on audit_outcomes begin select raise(abort, 'the audit is append-only'); end;
CREATE TRIGGER lead_inserted after insert on leads
      when not exists (select 1 from lead_index where lead_id = new.id) begin
        insert into lead_index (lead_id, received_at, status, area, attempts)
          select id, received_at, case
  when erased_at is not null then 'erased'
  when quarantined_at is not null and released_at is null then 'quarantined'
  else 'duplicate' end, area, 0 from leads where id = new.id;
        insert into leads_to_index (lead_id) values (new.id);
      end;
CREATE TRIGGER lead_released after update of released_at on leads begin 
  update lead_index set
    status = case
      when l.erased_at is not null then 'erased'
      when l.quarantined_at is not null and l.released_at is null then 'quarantined'
      when d.id is null then 'duplicate'
      else coalesce(d.settled_as, 'owed') end,
    attempts = coalesce(d.attempts, 0),
    error = case
  when l.erased_at is not null or d.settled_as = 'delivered' or t.outcome is null or t.outcome = 'delivered' then null
  when t.outcome = 'rejected' then coalesce(t.reason, t.outcome)
  else coalesce(cast(t.http_status as text), t.error_code, t.reason, t.outcome) end,
    error_group = case when lead_index.error = case
  when l.erased_at is not null or d.settled_as = 'delivered' or t.outcome is null or t.outcome = 'delivered' then null
  when t.outcome = 'rejected' then coalesce(t.reason, t.outcome)
  else coalesce(cast(t.http_status as text), t.error_code, t.reason, t.outcome) end then lead_index.error_group end,
    failed_at = case when case
  when l.erased_at is not null or d.settled_as = 'delivered' or t.outcome is null or t.outcome = 'delivered' then null
  when t.outcome = 'rejected' then coalesce(t.reason, t.outcome)
  else coalesce(cast(t.http_status as text), t.error_code, t.reason, t.outcome) end is not null then t.started_at end
  from leads as l
    left join deliveries as d on d.lead_id = l.id
    left join attempts as t on t.id = (
      select a.id from attempts as a where a.delivery_id = d.id order by a.started_at desc, a.id desc limit 1)
  where lead_index.lead_id = l.id and l.id = new.id; end;
CREATE TRIGGER lead_erased after update of erased_at on leads when new.erased_at is not null
      begin 
  delete from lead_keys where lead_id = new.id;
  update lead_index set affiliate = null, source = null, campaign = null, state = null, verified = null
    where lead_id = new.id;
  update returns set reason = null where lead_id = new.id;
  update notifications set
    reply = null, lease = null, settled_at = coalesce(settled_at, new.erased_at),
    settled_because = case when settled_at is null then 'erased' else settled_because end,
    settled_as = coalesce(settled_as, 'dead')
  where lead_id = new.id;
  
  update lead_index set
    status = case
      when l.erased_at is not null then 'erased'
      when l.quarantined_at is not null and l.released_at is null then 'quarantined'
      when d.id is null then 'duplicate'
      else coalesce(d.settled_as, 'owed') end,
    attempts = coalesce(d.attempts, 0),
    error = case
  when l.erased_at is not null or d.settled_as = 'delivered' or t.outcome is null or t.outcome = 'delivered' then null
  when t.outcome = 'rejected' then coalesce(t.reason, t.outcome)
  else coalesce(cast(t.http_status as text), t.error_code, t.reason, t.outcome) end,
    error_group = case when lead_index.error = case
  when l.erased_at is not null or d.settled_as = 'delivered' or t.outcome is null or t.outcome = 'delivered' then null
  when t.outcome = 'rejected' then coalesce(t.reason, t.outcome)
  else coalesce(cast(t.http_status as text), t.error_code, t.reason, t.outcome) end then lead_index.error_group end,
    failed_at = case when case
  when l.erased_at is not null or d.settled_as = 'delivered' or t.outcome is null or t.outcome = 'delivered' then null
  when t.outcome = 'rejected' then coalesce(t.reason, t.outcome)
  else coalesce(cast(t.http_status as text), t.error_code, t.reason, t.outcome) end is not null then t.started_at end
  from leads as l
    left join deliveries as d on d.lead_id = l.id
    left join attempts as t on t.id = (
      select a.id from attempts as a where a.delivery_id = d.id order by a.started_at desc, a.id desc limit 1)
  where lead_index.lead_id = l.id and l.id = new.id; end;
CREATE TRIGGER delivery_inserted after insert on deliveries
      when (select status from lead_index where lead_id = new.lead_id) is not coalesce(new.settled_as, 'owed')
      begin 
  update lead_index set
    status = case
      when l.erased_at is not null then 'erased'
      when l.quarantined_at is not null and l.released_at is null then 'quarantined'
      when d.id is null then 'duplicate'
      else coalesce(d.settled_as, 'owed') end,
    attempts = coalesce(d.attempts, 0),
    error = case
  when l.erased_at is not null or d.settled_as = 'delivered' or t.outcome is null or t.outcome = 'delivered' then null
  when t.outcome = 'rejected' then coalesce(t.reason, t.outcome)
  else coalesce(cast(t.http_status as text), t.error_code, t.reason, t.outcome) end,
    error_group = case when lead_index.error = case
  when l.erased_at is not null or d.settled_as = 'delivered' or t.outcome is null or t.outcome = 'delivered' then null
  when t.outcome = 'rejected' then coalesce(t.reason, t.outcome)
  else coalesce(cast(t.http_status as text), t.error_code, t.reason, t.outcome) end then lead_index.error_group end,
    failed_at = case when case
  when l.erased_at is not null or d.settled_as = 'delivered' or t.outcome is null or t.outcome = 'delivered' then null
  when t.outcome = 'rejected' then coalesce(t.reason, t.outcome)
  else coalesce(cast(t.http_status as text), t.error_code, t.reason, t.outcome) end is not null then t.started_at end
  from leads as l
    left join deliveries as d on d.lead_id = l.id
    left join attempts as t on t.id = (
      select a.id from attempts as a where a.delivery_id = d.id order by a.started_at desc, a.id desc limit 1)
  where lead_index.lead_id = l.id and l.id = new.lead_id; end;
CREATE TRIGGER delivery_changed after update of attempts, settled_as on deliveries
      when new.attempts <> old.attempts or new.settled_as is not old.settled_as
      begin 
  update lead_index set
    status = case
      when l.erased_at is not null then 'erased'
      when l.quarantined_at is not null and l.released_at is null then 'quarantined'
      when d.id is null then 'duplicate'
      else coalesce(d.settled_as, 'owed') end,
    attempts = coalesce(d.attempts, 0),
    error = case
  when l.erased_at is not null or d.settled_as = 'delivered' or t.outcome is null or t.outcome = 'delivered' then null
  when t.outcome = 'rejected' then coalesce(t.reason, t.outcome)
  else coalesce(cast(t.http_status as text), t.error_code, t.reason, t.outcome) end,
    error_group = case when lead_index.error = case
  when l.erased_at is not null or d.settled_as = 'delivered' or t.outcome is null or t.outcome = 'delivered' then null
  when t.outcome = 'rejected' then coalesce(t.reason, t.outcome)
  else coalesce(cast(t.http_status as text), t.error_code, t.reason, t.outcome) end then lead_index.error_group end,
    failed_at = case when case
  when l.erased_at is not null or d.settled_as = 'delivered' or t.outcome is null or t.outcome = 'delivered' then null
  when t.outcome = 'rejected' then coalesce(t.reason, t.outcome)
  else coalesce(cast(t.http_status as text), t.error_code, t.reason, t.outcome) end is not null then t.started_at end
  from leads as l
    left join deliveries as d on d.lead_id = l.id
    left join attempts as t on t.id = (
      select a.id from attempts as a where a.delivery_id = d.id order by a.started_at desc, a.id desc limit 1)
  where lead_index.lead_id = l.id and l.id = new.lead_id; end;
CREATE TRIGGER audit_changes_no_update before update on audit_changes begin select raise(abort, 'the audit is append-only'); end;
CREATE TRIGGER audit_changes_no_delete before delete on audit_changes begin select raise(abort, 'the audit is append-only'); end;
CREATE TRIGGER rejected_delivery_inserted after insert on deliveries when new.settled_as = 'rejected' begin update lead_index set
  rejected_because = case when new.settled_as = 'rejected' then coalesce(new.settled_because, 'rejected') end
  where lead_id = new.lead_id and (new.settled_as = 'rejected' or rejected_because is not null); end;
CREATE TRIGGER delivery_answered after update of settled_as on deliveries when new.settled_as is distinct from old.settled_as and new.settled_as in ('delivered', 'rejected') begin update lead_index set
  rejected_because = case when new.settled_as = 'rejected' then coalesce(new.settled_because, 'rejected') end
  where lead_id = new.lead_id and (new.settled_as = 'rejected' or rejected_because is not null); end;
CREATE TRIGGER rejected_lead_erased after update of erased_at on leads when new.erased_at is not null begin update lead_index set rejected_because = null
      where lead_id = new.id and rejected_because is not null; end;
CREATE TRIGGER lead_erased_origins after update of erased_at on leads when new.erased_at is not null
    begin update lead_index set personal_origins = null,
  affiliate_key = null, source_key = null, campaign_key = null where lead_id = new.id; end;
