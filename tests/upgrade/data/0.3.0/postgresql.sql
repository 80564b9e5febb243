--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: SCHEMA "public"; Type: COMMENT; Schema: -; Owner: -
--

COMMENT ON SCHEMA "public" IS 'standard public schema';


--
-- Name: delivery_answered(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION "public"."delivery_answered"() RETURNS "trigger"
    LANGUAGE "plpgsql"
    AS $$begin update lead_index set
  rejected_because = case when new.settled_as = 'rejected' then coalesce(new.settled_because, 'rejected') end
  where lead_id = new.lead_id and (new.settled_as = 'rejected' or rejected_because is not null); return null; end$$;


--
-- Name: delivery_changed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION "public"."delivery_changed"() RETURNS "trigger"
    LANGUAGE "plpgsql"
    SET "enable_seqscan" TO 'off'
    AS $$begin 
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
  where lead_index.lead_id = l.id and l.id = new.lead_id; return null; end$$;


--
-- Name: delivery_inserted(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION "public"."delivery_inserted"() RETURNS "trigger"
    LANGUAGE "plpgsql"
    SET "enable_seqscan" TO 'off'
    AS $$begin 
      if exists (
        select from inserted inner join lead_index on lead_index.lead_id = inserted.lead_id
        where lead_index.status <> coalesce(inserted.settled_as, 'owed')
      ) then 
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
  where lead_index.lead_id = l.id and l.id in (select lead_id from inserted); end if; return null; end$$;


--
-- Name: lead_erased(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION "public"."lead_erased"() RETURNS "trigger"
    LANGUAGE "plpgsql"
    SET "enable_seqscan" TO 'off'
    AS $$begin 
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
  where lead_index.lead_id = l.id and l.id = new.id; return null; end$$;


--
-- Name: lead_erased_origins(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION "public"."lead_erased_origins"() RETURNS "trigger"
    LANGUAGE "plpgsql"
    SET "enable_seqscan" TO 'off'
    AS $$begin update lead_index set personal_origins = null,
  affiliate_key = null, source_key = null, campaign_key = null where lead_id = new.id; return null; end$$;


--
-- Name: lead_inserted(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION "public"."lead_inserted"() RETURNS "trigger"
    LANGUAGE "plpgsql"
    SET "enable_seqscan" TO 'off'
    AS $$begin 
      with added as (
        insert into lead_index (lead_id, received_at, status, area, attempts)
        select id, received_at, case
  when erased_at is not null then 'erased'
  when quarantined_at is not null and released_at is null then 'quarantined'
  else 'duplicate' end, area, 0 from inserted order by id
        on conflict (lead_id) do nothing returning lead_id)
      insert into leads_to_index (lead_id) select lead_id from added; return null; end$$;


--
-- Name: lead_released(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION "public"."lead_released"() RETURNS "trigger"
    LANGUAGE "plpgsql"
    SET "enable_seqscan" TO 'off'
    AS $$begin 
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
  where lead_index.lead_id = l.id and l.id = new.id; return null; end$$;


--
-- Name: refuse_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION "public"."refuse_change"() RETURNS "trigger"
    LANGUAGE "plpgsql"
    AS $$begin raise exception 'the audit is append-only'; end$$;


--
-- Name: rejected_delivery_inserted(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION "public"."rejected_delivery_inserted"() RETURNS "trigger"
    LANGUAGE "plpgsql"
    AS $$begin update lead_index set
  rejected_because = case when new.settled_as = 'rejected' then coalesce(new.settled_because, 'rejected') end
  where lead_id = new.lead_id and (new.settled_as = 'rejected' or rejected_because is not null); return null; end$$;


--
-- Name: rejected_lead_erased(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION "public"."rejected_lead_erased"() RETURNS "trigger"
    LANGUAGE "plpgsql"
    AS $$begin update lead_index set rejected_because = null
      where lead_id = new.id and rejected_because is not null; return null; end$$;


SET default_tablespace = '';

SET default_table_access_method = "heap";

--
-- Name: affiliate_ids; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."affiliate_ids" (
    "affid" "text" NOT NULL,
    "affiliate_id" "text" NOT NULL
);


--
-- Name: affiliates; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."affiliates" (
    "id" "text" NOT NULL,
    "name" "text" NOT NULL,
    "notes" "text" NOT NULL,
    "payout_cents" integer,
    "postback_url" "text",
    "created_at" bigint NOT NULL
);


--
-- Name: alert_state; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."alert_state" (
    "id" integer NOT NULL,
    "holder" "text" NOT NULL,
    "held_until" bigint NOT NULL,
    "told" "text" NOT NULL
);


--
-- Name: attempts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."attempts" (
    "id" "text" NOT NULL,
    "delivery_id" "text" NOT NULL,
    "started_at" bigint NOT NULL,
    "duration_ms" bigint NOT NULL,
    "outcome" "text" NOT NULL,
    "http_status" integer,
    "detail" "text",
    "reason" "text",
    "error_code" "text",
    "retry_after_ms" bigint
);


--
-- Name: audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."audit" (
    "id" "text" NOT NULL,
    "at" bigint NOT NULL,
    "via" "text" NOT NULL,
    "operator_id" "text",
    "system_user" "text",
    "network" "text",
    "action" "text" NOT NULL,
    "subject" "text",
    "reason" "text"
);


--
-- Name: audit_changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."audit_changes" (
    "audit_id" "text" NOT NULL,
    "target" "text",
    "changes" "text" NOT NULL
);


--
-- Name: audit_outcomes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."audit_outcomes" (
    "audit_id" "text" NOT NULL,
    "outcome" "text" NOT NULL
);


--
-- Name: cap_uses; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."cap_uses" (
    "cap_id" "text" NOT NULL,
    "period" "text" NOT NULL,
    "delivery_id" "text" NOT NULL,
    "used_at" bigint NOT NULL
);


--
-- Name: caps; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."caps" (
    "id" "text" NOT NULL,
    "program" integer,
    "affiliate_id" "text",
    "state" "text",
    "max_leads" integer,
    "period" "text" NOT NULL,
    "opens_at" integer,
    "closes_at" integer,
    "blocked_states" "text" NOT NULL,
    "follows_distributor" integer NOT NULL,
    "full_since" bigint,
    "created_at" bigint NOT NULL
);


--
-- Name: clock_differences; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."clock_differences" (
    "server" "text" NOT NULL,
    "ahead_ms" bigint NOT NULL,
    "seen_at" bigint NOT NULL
);


--
-- Name: consents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."consents" (
    "lead_id" "text" NOT NULL,
    "disclosure_hash" "text" NOT NULL,
    "agreed_at" bigint NOT NULL,
    "ip" "text" NOT NULL,
    "user_agent" "text" NOT NULL,
    "page_url" "text" NOT NULL
);


--
-- Name: deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."deliveries" (
    "id" "text" NOT NULL,
    "lead_id" "text" NOT NULL,
    "created_at" bigint NOT NULL,
    "attempts" integer DEFAULT 0 NOT NULL,
    "next_at" bigint NOT NULL,
    "lease" "text",
    "leased_until" bigint,
    "settled_as" "text",
    "settled_at" bigint,
    "spared" integer DEFAULT 0 NOT NULL,
    "unknown_attempts" integer DEFAULT 0 NOT NULL,
    "possible_duplicates" integer DEFAULT 0 NOT NULL,
    "waits_since" bigint,
    "settled_because" "text",
    "lead_erased_at" bigint,
    "settled_by_hand_at" bigint,
    "restored_at" bigint
);


--
-- Name: delivery_endings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."delivery_endings" (
    "delivery_id" "text" NOT NULL,
    "settled_as" "text" NOT NULL,
    "settled_at" bigint NOT NULL,
    "is_by_hand" integer NOT NULL,
    "owed_again_at" bigint NOT NULL
);


--
-- Name: delivery_gate; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."delivery_gate" (
    "id" integer NOT NULL,
    "paused_by" "text",
    "pause_reason" "text",
    "paused_at" bigint,
    "outage_since" bigint,
    "failed_probes" integer DEFAULT 0 NOT NULL,
    "probe" "text",
    "probe_at" bigint,
    "refused_probes" integer DEFAULT 0 NOT NULL,
    "akin_refused_probes" integer DEFAULT 0 NOT NULL,
    "enough_refusals" integer DEFAULT 0 NOT NULL,
    "patient_until" bigint,
    "repeat_at" bigint,
    "start_probe_at" bigint,
    "answered_probes" integer DEFAULT 0 NOT NULL
);


--
-- Name: delivery_holds; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."delivery_holds" (
    "id" "text" NOT NULL,
    "kind" "text" NOT NULL,
    "reason" "text" NOT NULL,
    "began_at" bigint NOT NULL,
    "ended_at" bigint,
    "is_open" integer NOT NULL,
    "begun_by_operator" "text",
    "begun_by_user" "text",
    "ended_by_operator" "text",
    "ended_by_user" "text",
    "end_reason" "text",
    "noticed_at" bigint
);


--
-- Name: delivery_rollups; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."delivery_rollups" (
    "from_at" bigint NOT NULL,
    "delivered" integer NOT NULL,
    "rejected" integer NOT NULL,
    "failed" integer NOT NULL,
    "waits" "text" NOT NULL,
    "calls" "text" NOT NULL,
    "waiting" integer,
    "oldest_at" bigint
);


--
-- Name: disclosures; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."disclosures" (
    "hash" "text" NOT NULL,
    "text" "text" NOT NULL
);


--
-- Name: enquirers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."enquirers" (
    "same_enquiry_hash" "text" NOT NULL,
    "lead_id" "text" NOT NULL,
    "received_at" bigint NOT NULL
);


--
-- Name: error_groups; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."error_groups" (
    "id" "text" NOT NULL,
    "error" "text" NOT NULL,
    "words" "text" NOT NULL
);


--
-- Name: export_progress; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."export_progress" (
    "id" "text" NOT NULL,
    "operator_id" "text" NOT NULL,
    "began_at" bigint NOT NULL,
    "done" integer NOT NULL,
    "state" "text" NOT NULL
);


--
-- Name: funnel_counts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."funnel_counts" (
    "scope" "text" NOT NULL,
    "from_at" bigint NOT NULL,
    "group_id" bigint NOT NULL,
    "area" "text",
    "source" "text",
    "campaign" "text",
    "affiliate" "text",
    "device" "text",
    "program" integer,
    "seen" bigint NOT NULL,
    "started" bigint NOT NULL,
    "details" "text" NOT NULL
);


--
-- Name: held_deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."held_deliveries" (
    "delivery_id" "text" NOT NULL,
    "cap_id" "text" NOT NULL,
    "until_at" bigint NOT NULL,
    "because" "text" NOT NULL
);


--
-- Name: held_releases; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."held_releases" (
    "lead_id" "text" NOT NULL,
    "due_at" bigint NOT NULL,
    "operator_id" "text" NOT NULL,
    "audit_id" "text" NOT NULL
);


--
-- Name: job_members; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."job_members" (
    "job_id" "text" NOT NULL,
    "position" integer NOT NULL,
    "lead_id" "text" NOT NULL,
    "outcome" "text",
    "detail" "text",
    "at" bigint
);


--
-- Name: jobs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."jobs" (
    "id" "text" NOT NULL,
    "action" "text" NOT NULL,
    "query" "text" NOT NULL,
    "is_of_search" integer NOT NULL,
    "search_keys" "text",
    "operator_id" "text",
    "system_user" "text",
    "network" "text",
    "phase" "text" NOT NULL,
    "planned_at" bigint NOT NULL,
    "plan" "text" NOT NULL,
    "reason" "text",
    "rate" integer NOT NULL,
    "started_at" bigint,
    "reached_at" bigint,
    "reached_id" "text",
    "members" integer DEFAULT 0 NOT NULL,
    "done" integer DEFAULT 0 NOT NULL,
    "report" "text" DEFAULT '{}'::"text" NOT NULL,
    "running_since" bigint,
    "running_from" integer DEFAULT 0 NOT NULL,
    "paused_at" bigint,
    "cancelled_at" bigint,
    "ended_at" bigint,
    "members_removed_at" bigint,
    "lease" "text",
    "leased_until" bigint
);


--
-- Name: kept_forms; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."kept_forms" (
    "id_hash" "text" NOT NULL,
    "sealed" "text" NOT NULL,
    "expires_at" bigint NOT NULL
);


--
-- Name: kysely_migration; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."kysely_migration" (
    "name" character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);


--
-- Name: kysely_migration_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."kysely_migration_lock" (
    "id" character varying(255) NOT NULL,
    "is_locked" integer DEFAULT 0 NOT NULL
);


--
-- Name: lead_changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."lead_changes" (
    "seq" bigint NOT NULL,
    "lead_id" "text" NOT NULL,
    "at" bigint DEFAULT ((EXTRACT(epoch FROM "clock_timestamp"()) * (1000)::numeric))::bigint NOT NULL
);


--
-- Name: lead_changes_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE "public"."lead_changes" ALTER COLUMN "seq" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME "public"."lead_changes_seq_seq"
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: lead_index; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."lead_index" (
    "lead_id" "text" NOT NULL,
    "received_at" bigint NOT NULL,
    "status" "text" NOT NULL,
    "area" "text" NOT NULL,
    "program" integer,
    "affiliate" "text",
    "state" "text",
    "verified" integer,
    "attempts" integer NOT NULL,
    "error" "text",
    "error_group" "text",
    "failed_at" bigint,
    "source" "text",
    "campaign" "text",
    "device" "text",
    "returned_at" bigint,
    "rejected_because" "text",
    "personal_origins" integer,
    "affiliate_key" "text",
    "source_key" "text",
    "campaign_key" "text"
);


--
-- Name: lead_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."lead_keys" (
    "key" "text" NOT NULL,
    "received_at" bigint NOT NULL,
    "lead_id" "text" NOT NULL
);


--
-- Name: lead_news; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."lead_news" (
    "seq" bigint NOT NULL,
    "leads" "text" NOT NULL
);


--
-- Name: lead_news_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE "public"."lead_news" ALTER COLUMN "seq" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME "public"."lead_news_seq_seq"
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: lead_searches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."lead_searches" (
    "id" "text" NOT NULL,
    "operator_id" "text" NOT NULL,
    "keys" "text" NOT NULL,
    "created_at" bigint NOT NULL
);


--
-- Name: leads; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."leads" (
    "id" "text" NOT NULL,
    "idempotency_key" "text" NOT NULL,
    "same_enquiry_hash" "text" NOT NULL,
    "received_at" bigint NOT NULL,
    "area" "text" NOT NULL,
    "email" "text" NOT NULL,
    "duplicate_of" "text",
    "payload" "text" NOT NULL,
    "erased_at" bigint,
    "signals" "text",
    "quarantined_at" bigint,
    "released_at" bigint,
    "erased_by" "text",
    "corrects" "text"
);


--
-- Name: leads_to_index; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."leads_to_index" (
    "lead_id" "text" NOT NULL
);


--
-- Name: moves; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."moves" (
    "place" "text" NOT NULL,
    "moved_at" bigint NOT NULL
);


--
-- Name: notification_gates; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."notification_gates" (
    "id" "text" NOT NULL,
    "paused_by" "text",
    "pause_reason" "text",
    "paused_at" bigint,
    "outage_since" bigint,
    "failed_probes" integer DEFAULT 0 NOT NULL,
    "refused_probes" integer DEFAULT 0 NOT NULL,
    "akin_refused_probes" integer DEFAULT 0 NOT NULL,
    "answered_probes" integer DEFAULT 0 NOT NULL,
    "probe" "text",
    "probe_at" bigint,
    "repeat_at" bigint,
    "start_probe_at" bigint
);


--
-- Name: notifications; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."notifications" (
    "id" "text" NOT NULL,
    "kind" "text" NOT NULL,
    "destination" "text" NOT NULL,
    "subject" "text" NOT NULL,
    "lead_id" "text",
    "event" "text" NOT NULL,
    "event_at" bigint NOT NULL,
    "event_reason" "text",
    "created_at" bigint NOT NULL,
    "attempts" integer DEFAULT 0 NOT NULL,
    "next_at" bigint NOT NULL,
    "lease" "text",
    "leased_until" bigint,
    "tried_at" bigint,
    "settled_as" "text",
    "settled_at" bigint,
    "settled_because" "text",
    "spared" integer DEFAULT 0 NOT NULL,
    "waits_since" bigint,
    "unknown_attempts" integer DEFAULT 0 NOT NULL,
    "possible_duplicates" integer DEFAULT 0 NOT NULL,
    "http_status" integer,
    "error" "text",
    "reply" "text"
);


--
-- Name: operator_credentials; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."operator_credentials" (
    "id" "text" NOT NULL,
    "operator_id" "text" NOT NULL,
    "kind" "text" NOT NULL,
    "secret" "text" NOT NULL,
    "counter" bigint DEFAULT 0 NOT NULL,
    "created_at" bigint NOT NULL,
    "used_at" bigint
);


--
-- Name: operator_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."operator_links" (
    "code_hash" "text" NOT NULL,
    "operator_id" "text" NOT NULL,
    "purpose" "text" NOT NULL,
    "expires_at" bigint NOT NULL
);


--
-- Name: operator_sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."operator_sessions" (
    "token_hash" "text" NOT NULL,
    "id" "text" NOT NULL,
    "operator_id" "text" NOT NULL,
    "began_at" bigint NOT NULL,
    "seen_at" bigint NOT NULL,
    "strong_at" bigint NOT NULL,
    "network" "text" NOT NULL,
    "browser" "text" NOT NULL
);


--
-- Name: operators; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."operators" (
    "id" "text" NOT NULL,
    "email" "text" NOT NULL,
    "role" "text" NOT NULL,
    "created_at" bigint NOT NULL,
    "disabled_at" bigint
);


--
-- Name: return_columns; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."return_columns" (
    "field" "text" NOT NULL,
    "heading" "text" NOT NULL
);


--
-- Name: returns; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."returns" (
    "lead_id" "text" NOT NULL,
    "returned_at" bigint NOT NULL,
    "reason" "text",
    "imported_at" bigint NOT NULL
);


--
-- Name: saved_views; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."saved_views" (
    "id" "text" NOT NULL,
    "operator_id" "text" NOT NULL,
    "name" "text" NOT NULL,
    "query" "text" NOT NULL,
    "is_shared" integer NOT NULL,
    "created_at" bigint NOT NULL
);


--
-- Name: secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."secrets" (
    "name" "text" NOT NULL,
    "value" "text" NOT NULL
);


--
-- Name: sign_in_failures; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."sign_in_failures" (
    "key" "text" NOT NULL,
    "count" integer NOT NULL,
    "last_at" bigint NOT NULL,
    "free_at" bigint NOT NULL
);


--
-- Name: store_mode; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."store_mode" (
    "mode" "text" NOT NULL
);


--
-- Name: visits; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."visits" (
    "id" "text" NOT NULL,
    "began_at" bigint NOT NULL,
    "seen_at" bigint NOT NULL,
    "area" "text" NOT NULL,
    "device" "text" NOT NULL,
    "program" integer,
    "source" "text",
    "campaign" "text",
    "affiliate" "text",
    "progress" "text" NOT NULL,
    "folded_at" bigint
);


--
-- Name: webhooks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE "public"."webhooks" (
    "id" "text" NOT NULL,
    "url" "text" NOT NULL,
    "events" "text" NOT NULL,
    "sends_personal_data" integer NOT NULL,
    "secret" "text" NOT NULL,
    "created_at" bigint NOT NULL
);


--
-- Data for Name: affiliate_ids; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: affiliates; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: alert_state; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO "public"."attempts" VALUES ('01a22222-7e85-73ba-9d1b-4f990ddb95a9', '01a22222-7e4b-7091-8600-c14e826d76ab', 1768478400000, 5, 'unknown', NULL, NULL, 'timeout', NULL, NULL);
INSERT INTO "public"."attempts" VALUES ('01a22222-7e90-719f-8e64-1a31dc687ee4', '01a22222-7e55-7bb8-bc68-6d09b64600e3', 1768478400000, 5, 'delivered', 200, NULL, NULL, NULL, NULL);
INSERT INTO "public"."attempts" VALUES ('01a22222-7e96-7b45-9ed4-cf073bbdf581', '01a22222-7e5a-700c-927b-8881062d984c', 1768478400000, 5, 'rejected', 200, 'Reached the monthly offer cap', 'cap', NULL, NULL);
INSERT INTO "public"."attempts" VALUES ('01a22222-7ea2-71e5-9be8-89ef81e2a351', '01a22222-7e5e-7725-83e8-54af259b655c', 1768478400000, 5, 'broken', 500, 'no: dead@example.com', 'server-error', NULL, NULL);


--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: audit_changes; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: audit_outcomes; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: cap_uses; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: caps; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: clock_differences; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: consents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO "public"."consents" VALUES ('01a22222-7e3a-745b-ae52-3afcf5e138a9', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
INSERT INTO "public"."consents" VALUES ('01a22222-7e4d-7cb5-a833-0d8e3fa855a5', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
INSERT INTO "public"."consents" VALUES ('01a22222-7e51-7cba-a40e-004c727a0940', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
INSERT INTO "public"."consents" VALUES ('01a22222-7e56-70ec-8579-cfc83de2a0f5', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
INSERT INTO "public"."consents" VALUES ('01a22222-7e5a-7c06-9ad9-0b586777f04e', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
INSERT INTO "public"."consents" VALUES ('01a22222-7e5f-703b-9a6a-f7c6dd861107', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
INSERT INTO "public"."consents" VALUES ('01a22222-7e63-77e8-9049-3a446cba236b', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
INSERT INTO "public"."consents" VALUES ('01a22222-7e66-77da-a719-fba57599db20', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '', '', 'https://school.example/healthcare');


--
-- Data for Name: deliveries; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO "public"."deliveries" VALUES ('01a22222-7e69-77b4-a32d-b2e7fc67df87', '01a22222-7e66-77da-a719-fba57599db20', 1768478220000, 0, 1768478220000, NULL, NULL, 'erased', 1768478400000, 0, 0, 0, NULL, NULL, 1768478400000, NULL, NULL);
INSERT INTO "public"."deliveries" VALUES ('01a22222-7e50-75cb-bb61-60cae99ae227', '01a22222-7e4d-7cb5-a833-0d8e3fa855a5', 1768477860000, 0, 1768478460000, '01a22222-7e80-7c6d-9584-363f63d12dcf', 1768478460000, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, NULL);
INSERT INTO "public"."deliveries" VALUES ('01a22222-7e4b-7091-8600-c14e826d76ab', '01a22222-7e3a-745b-ae52-3afcf5e138a9', 1768477800000, 1, 1768478700000, NULL, NULL, NULL, NULL, 0, 1, 0, 1768478400005, NULL, NULL, NULL, NULL);
INSERT INTO "public"."deliveries" VALUES ('01a22222-7e55-7bb8-bc68-6d09b64600e3', '01a22222-7e51-7cba-a40e-004c727a0940', 1768477920000, 1, 1768478460000, NULL, NULL, 'delivered', 1768478400005, 0, 0, 0, NULL, NULL, NULL, NULL, NULL);
INSERT INTO "public"."deliveries" VALUES ('01a22222-7e5a-700c-927b-8881062d984c', '01a22222-7e56-70ec-8579-cfc83de2a0f5', 1768477980000, 1, 1768478460000, NULL, NULL, 'rejected', 1768478400005, 0, 0, 0, NULL, 'cap', NULL, NULL, NULL);
INSERT INTO "public"."deliveries" VALUES ('01a22222-7e5e-7725-83e8-54af259b655c', '01a22222-7e5a-7c06-9ad9-0b586777f04e', 1768478040000, 1, 1768478460000, NULL, NULL, 'dead', 1768478400005, 0, 0, 0, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: delivery_endings; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: delivery_gate; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO "public"."delivery_gate" VALUES (1, NULL, NULL, NULL, NULL, 0, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, 0);


--
-- Data for Name: delivery_holds; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: delivery_rollups; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO "public"."delivery_rollups" VALUES (1768478400000, 1, 1, 2, '{}', '{}', NULL, NULL);


--
-- Data for Name: disclosures; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO "public"."disclosures" VALUES ('fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 'I agree that the school may email me — at any time.');


--
-- Data for Name: enquirers; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO "public"."enquirers" VALUES ('f14912a002a53e1dd0e69c5bddd8878e6e7a2e95291d7231cb631e6670377a2f', '01a22222-7e3a-745b-ae52-3afcf5e138a9', 1768477800000);
INSERT INTO "public"."enquirers" VALUES ('448c5993fcff65619368de3c4534d9be8de83f337d2a7d02f99cfc38dde18287', '01a22222-7e4d-7cb5-a833-0d8e3fa855a5', 1768477860000);
INSERT INTO "public"."enquirers" VALUES ('e2dff70168aa7881b89fd39dc49c0594225de70c3b06c81704ae09d64c0e93b9', '01a22222-7e51-7cba-a40e-004c727a0940', 1768477920000);


--
-- Data for Name: error_groups; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO "public"."error_groups" VALUES ('timeout~KI_SqQ04', 'timeout', '');
INSERT INTO "public"."error_groups" VALUES ('cap~t59uRggW', 'cap', 'Reached the monthly offer cap');
INSERT INTO "public"."error_groups" VALUES ('500~sKoPwjme', '500', 'no: …');


--
-- Data for Name: export_progress; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: funnel_counts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: held_deliveries; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: held_releases; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: job_members; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: jobs; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: kept_forms; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: kysely_migration; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO "public"."kysely_migration" VALUES ('0001-leads-and-deliveries', '2026-11-28T12:30:15.449Z');
INSERT INTO "public"."kysely_migration" VALUES ('0002-delivery-gate', '2026-11-28T12:30:15.450Z');
INSERT INTO "public"."kysely_migration" VALUES ('0003-erased-leads', '2026-11-28T12:30:15.451Z');
INSERT INTO "public"."kysely_migration" VALUES ('0004-quarantine', '2026-11-28T12:30:15.452Z');
INSERT INTO "public"."kysely_migration" VALUES ('0005-retention', '2026-11-28T12:30:15.453Z');
INSERT INTO "public"."kysely_migration" VALUES ('0006-attempt-reasons', '2026-11-28T12:30:15.454Z');
INSERT INTO "public"."kysely_migration" VALUES ('0007-corrections', '2026-11-28T12:30:15.455Z');
INSERT INTO "public"."kysely_migration" VALUES ('0008-breaker-probes', '2026-11-28T12:30:15.456Z');
INSERT INTO "public"."kysely_migration" VALUES ('0009-who-was-not-taken-holds-nobody', '2026-11-28T12:30:15.457Z');
INSERT INTO "public"."kysely_migration" VALUES ('0010-moves-and-restores', '2026-11-28T12:30:15.458Z');
INSERT INTO "public"."kysely_migration" VALUES ('0011-answered-probes', '2026-11-28T12:30:15.459Z');
INSERT INTO "public"."kysely_migration" VALUES ('0012-operators', '2026-11-28T12:30:15.460Z');
INSERT INTO "public"."kysely_migration" VALUES ('0013-lead-index', '2026-11-28T12:30:15.461Z');
INSERT INTO "public"."kysely_migration" VALUES ('0014-jobs', '2026-11-28T12:30:15.462Z');
INSERT INTO "public"."kysely_migration" VALUES ('0015-delivery-history', '2026-11-28T12:30:15.463Z');
INSERT INTO "public"."kysely_migration" VALUES ('0016-quarantine-filters-and-exports', '2026-11-28T12:30:15.464Z');
INSERT INTO "public"."kysely_migration" VALUES ('0017-lead-news', '2026-11-28T12:30:15.465Z');
INSERT INTO "public"."kysely_migration" VALUES ('0018-kept-forms', '2026-11-28T12:30:15.466Z');
INSERT INTO "public"."kysely_migration" VALUES ('0020-acts-by-whom', '2026-11-28T12:30:15.467Z');
INSERT INTO "public"."kysely_migration" VALUES ('0021-what-a-delivery-was-before', '2026-11-28T12:30:15.553Z');
INSERT INTO "public"."kysely_migration" VALUES ('0022-since-release-0.2.0', '2026-11-28T12:30:15.593Z');
INSERT INTO "public"."kysely_migration" VALUES ('0023-audit-changes', '2026-11-28T12:30:15.596Z');
INSERT INTO "public"."kysely_migration" VALUES ('0024-last-rejection', '2026-11-28T12:30:15.600Z');
INSERT INTO "public"."kysely_migration" VALUES ('0025-find-origins-in-any-case', '2026-11-28T12:30:15.605Z');
INSERT INTO "public"."kysely_migration" VALUES ('0026-clock-differences', '2026-11-28T12:30:15.607Z');
INSERT INTO "public"."kysely_migration" VALUES ('0028-store-mode', '2026-11-28T12:30:15.608Z');


--
-- Data for Name: kysely_migration_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO "public"."kysely_migration_lock" VALUES ('migration_lock', 0);


--
-- Data for Name: lead_changes; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: lead_index; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO "public"."lead_index" VALUES ('01a22222-7e4d-7cb5-a833-0d8e3fa855a5', 1768477860000, 'owed', 'healthcare', 12, 'affiliate 7', 'FL', 1, 0, NULL, NULL, NULL, 'news', 'spring sale', NULL, NULL, NULL, NULL, 'affiliate 7', 'news', 'spring sale');
INSERT INTO "public"."lead_index" VALUES ('01a22222-7e5f-703b-9a6a-f7c6dd861107', 1768478100000, 'duplicate', 'healthcare', 12, 'affiliate 7', 'FL', 1, 0, NULL, NULL, NULL, 'news', 'spring sale', NULL, NULL, NULL, NULL, 'affiliate 7', 'news', 'spring sale');
INSERT INTO "public"."lead_index" VALUES ('01a22222-7e63-77e8-9049-3a446cba236b', 1768478160000, 'quarantined', 'healthcare', 12, 'affiliate 7', 'FL', 1, 0, NULL, NULL, NULL, 'news', 'spring sale', NULL, NULL, NULL, NULL, 'affiliate 7', 'news', 'spring sale');
INSERT INTO "public"."lead_index" VALUES ('01a22222-7e66-77da-a719-fba57599db20', 1768478220000, 'erased', 'healthcare', 12, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO "public"."lead_index" VALUES ('01a22222-7e3a-745b-ae52-3afcf5e138a9', 1768477800000, 'owed', 'healthcare', 12, 'affiliate 7', 'FL', 1, 1, 'timeout', 'timeout~KI_SqQ04', 1768478400000, 'news', 'spring sale', NULL, NULL, NULL, NULL, 'affiliate 7', 'news', 'spring sale');
INSERT INTO "public"."lead_index" VALUES ('01a22222-7e51-7cba-a40e-004c727a0940', 1768477920000, 'delivered', 'healthcare', 12, 'affiliate 7', 'FL', 1, 1, NULL, NULL, NULL, 'news', 'spring sale', NULL, NULL, NULL, NULL, 'affiliate 7', 'news', 'spring sale');
INSERT INTO "public"."lead_index" VALUES ('01a22222-7e56-70ec-8579-cfc83de2a0f5', 1768477980000, 'rejected', 'healthcare', 12, 'affiliate 7', 'FL', 1, 1, 'cap', 'cap~t59uRggW', 1768478400000, 'news', 'spring sale', NULL, NULL, 'cap', NULL, 'affiliate 7', 'news', 'spring sale');
INSERT INTO "public"."lead_index" VALUES ('01a22222-7e5a-7c06-9ad9-0b586777f04e', 1768478040000, 'dead', 'healthcare', 12, 'affiliate 7', 'FL', 1, 1, '500', '500~sKoPwjme', 1768478400000, 'news', 'spring sale', NULL, NULL, NULL, NULL, 'affiliate 7', 'news', 'spring sale');


--
-- Data for Name: lead_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO "public"."lead_keys" VALUES ('VaD9Vonijpryq_4_YqtVJU', 1768477800000, '01a22222-7e3a-745b-ae52-3afcf5e138a9');
INSERT INTO "public"."lead_keys" VALUES ('QFRTfeJzVlmW_89qcQggOC', 1768477800000, '01a22222-7e3a-745b-ae52-3afcf5e138a9');
INSERT INTO "public"."lead_keys" VALUES ('dm2hUUz4A3ek_OQUPAKgZ5', 1768477800000, '01a22222-7e3a-745b-ae52-3afcf5e138a9');
INSERT INTO "public"."lead_keys" VALUES ('K-Jvt6UhDKWWn48LjWhcuD', 1768477860000, '01a22222-7e4d-7cb5-a833-0d8e3fa855a5');
INSERT INTO "public"."lead_keys" VALUES ('QFRTfeJzVlmW_89qcQggOC', 1768477860000, '01a22222-7e4d-7cb5-a833-0d8e3fa855a5');
INSERT INTO "public"."lead_keys" VALUES ('dm2hUUz4A3ek_OQUPAKgZ5', 1768477860000, '01a22222-7e4d-7cb5-a833-0d8e3fa855a5');
INSERT INTO "public"."lead_keys" VALUES ('KhFxCetaqGfkgbCq3nlfdu', 1768477920000, '01a22222-7e51-7cba-a40e-004c727a0940');
INSERT INTO "public"."lead_keys" VALUES ('QFRTfeJzVlmW_89qcQggOC', 1768477920000, '01a22222-7e51-7cba-a40e-004c727a0940');
INSERT INTO "public"."lead_keys" VALUES ('dm2hUUz4A3ek_OQUPAKgZ5', 1768477920000, '01a22222-7e51-7cba-a40e-004c727a0940');
INSERT INTO "public"."lead_keys" VALUES ('cSxEzLDbZ5F7eMvv0nVzSg', 1768477980000, '01a22222-7e56-70ec-8579-cfc83de2a0f5');
INSERT INTO "public"."lead_keys" VALUES ('QFRTfeJzVlmW_89qcQggOC', 1768477980000, '01a22222-7e56-70ec-8579-cfc83de2a0f5');
INSERT INTO "public"."lead_keys" VALUES ('dm2hUUz4A3ek_OQUPAKgZ5', 1768477980000, '01a22222-7e56-70ec-8579-cfc83de2a0f5');
INSERT INTO "public"."lead_keys" VALUES ('W2LA_u6krnt1VLPBzQwxfP', 1768478040000, '01a22222-7e5a-7c06-9ad9-0b586777f04e');
INSERT INTO "public"."lead_keys" VALUES ('QFRTfeJzVlmW_89qcQggOC', 1768478040000, '01a22222-7e5a-7c06-9ad9-0b586777f04e');
INSERT INTO "public"."lead_keys" VALUES ('dm2hUUz4A3ek_OQUPAKgZ5', 1768478040000, '01a22222-7e5a-7c06-9ad9-0b586777f04e');
INSERT INTO "public"."lead_keys" VALUES ('KhFxCetaqGfkgbCq3nlfdu', 1768478100000, '01a22222-7e5f-703b-9a6a-f7c6dd861107');
INSERT INTO "public"."lead_keys" VALUES ('QFRTfeJzVlmW_89qcQggOC', 1768478100000, '01a22222-7e5f-703b-9a6a-f7c6dd861107');
INSERT INTO "public"."lead_keys" VALUES ('dm2hUUz4A3ek_OQUPAKgZ5', 1768478100000, '01a22222-7e5f-703b-9a6a-f7c6dd861107');
INSERT INTO "public"."lead_keys" VALUES ('wJqbsAOIJ2HfjEJ2RqOxhb', 1768478160000, '01a22222-7e63-77e8-9049-3a446cba236b');
INSERT INTO "public"."lead_keys" VALUES ('QFRTfeJzVlmW_89qcQggOC', 1768478160000, '01a22222-7e63-77e8-9049-3a446cba236b');
INSERT INTO "public"."lead_keys" VALUES ('dm2hUUz4A3ek_OQUPAKgZ5', 1768478160000, '01a22222-7e63-77e8-9049-3a446cba236b');
INSERT INTO "public"."lead_keys" VALUES ('signal:too-fast', 1768478160000, '01a22222-7e63-77e8-9049-3a446cba236b');


--
-- Data for Name: lead_news; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: lead_searches; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: leads; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO "public"."leads" VALUES ('01a22222-7e3a-745b-ae52-3afcf5e138a9', '6bb41242-711f-465a-95e0-19fbc104e103', 'f14912a002a53e1dd0e69c5bddd8878e6e7a2e95291d7231cb631e6670377a2f', 1768477800000, 'healthcare', 'pending@example.com', NULL, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false,"openedAt":null,"attribution":{"first":{"utm_source":"google","gclid":"click 1"},"last":{"utm_source":"news","utm_campaign":"spring sale","referrer":"news.example"}},"educationLevelId":790}', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO "public"."leads" VALUES ('01a22222-7e4d-7cb5-a833-0d8e3fa855a5', 'e96c1906-4a37-427a-8b91-a38aee017928', '448c5993fcff65619368de3c4534d9be8de83f337d2a7d02f99cfc38dde18287', 1768477860000, 'healthcare', 'leased@example.com', NULL, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false,"openedAt":null,"attribution":{"first":{"utm_source":"google","gclid":"click 1"},"last":{"utm_source":"news","utm_campaign":"spring sale","referrer":"news.example"}},"educationLevelId":790}', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO "public"."leads" VALUES ('01a22222-7e51-7cba-a40e-004c727a0940', 'd872d3ee-db1a-4aa2-9ced-b1d8eb0b4bf4', 'e2dff70168aa7881b89fd39dc49c0594225de70c3b06c81704ae09d64c0e93b9', 1768477920000, 'healthcare', 'delivered@example.com', NULL, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false,"openedAt":1768477830000,"attribution":{"first":{"utm_source":"google","gclid":"click 1"},"last":{"utm_source":"news","utm_campaign":"spring sale","referrer":"news.example"}},"educationLevelId":790}', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO "public"."leads" VALUES ('01a22222-7e56-70ec-8579-cfc83de2a0f5', '3a134fa0-88c7-491e-a3f4-9ed44263d7b2', '9e8ac23142c306e2942540df3787bd1d96ef6ab9ea7d4bcfaacd0d54ecd4f470', 1768477980000, 'healthcare', 'rejected@example.com', NULL, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false,"openedAt":null,"attribution":{"first":{"utm_source":"google","gclid":"click 1"},"last":{"utm_source":"news","utm_campaign":"spring sale","referrer":"news.example"}},"educationLevelId":790}', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO "public"."leads" VALUES ('01a22222-7e5a-7c06-9ad9-0b586777f04e', 'cd03fd56-46ae-4c4b-baf4-4c876449dd02', '76139d96fa38ca03dc9e7d0dbae7a198aa29a7366e08f0e601e46cce5291bdab', 1768478040000, 'healthcare', 'dead@example.com', NULL, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false,"openedAt":null,"attribution":{"first":{"utm_source":"google","gclid":"click 1"},"last":{"utm_source":"news","utm_campaign":"spring sale","referrer":"news.example"}},"educationLevelId":790}', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO "public"."leads" VALUES ('01a22222-7e5f-703b-9a6a-f7c6dd861107', '2f592a13-95dd-4e8e-9af3-4bf849a043e6', 'e2dff70168aa7881b89fd39dc49c0594225de70c3b06c81704ae09d64c0e93b9', 1768478100000, 'healthcare', 'delivered@example.com', '01a22222-7e51-7cba-a40e-004c727a0940', '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false,"openedAt":null,"attribution":{"first":{"utm_source":"google","gclid":"click 1"},"last":{"utm_source":"news","utm_campaign":"spring sale","referrer":"news.example"}},"educationLevelId":790}', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO "public"."leads" VALUES ('01a22222-7e63-77e8-9049-3a446cba236b', '2900b190-0ce2-49a1-b2c4-cb31eef1c3fa', '61471983c4aef52425407179ccd976b59fe9d72344f1eb1cf6dc55b04cffa5b2', 1768478160000, 'healthcare', 'quarantined@example.com', NULL, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false,"openedAt":null,"attribution":{"first":{"utm_source":"google","gclid":"click 1"},"last":{"utm_source":"news","utm_campaign":"spring sale","referrer":"news.example"}},"educationLevelId":790}', NULL, '["too-fast"]', 1768478160000, NULL, NULL, NULL);
INSERT INTO "public"."leads" VALUES ('01a22222-7e66-77da-a719-fba57599db20', '9ef3de0a-35a4-400a-a4fc-fa74ae1b4772', '', 1768478220000, 'healthcare', '', NULL, '{"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"gpc":false}', 1768478400000, NULL, NULL, NULL, 'request', NULL);


--
-- Data for Name: leads_to_index; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: moves; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: notification_gates; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: notifications; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: operator_credentials; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: operator_links; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: operator_sessions; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: operators; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: return_columns; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: returns; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: saved_views; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: secrets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO "public"."secrets" VALUES ('lead keys', 'Fdhs8BU7ntkAdMCV4GHe99t_2w0hnSADf1PEzZ1FbKY');
INSERT INTO "public"."secrets" VALUES ('proof of work', 'of that release');


--
-- Data for Name: sign_in_failures; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: store_mode; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: visits; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: webhooks; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Name: lead_changes_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('"public"."lead_changes_seq_seq"', 1, false);


--
-- Name: lead_news_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('"public"."lead_news_seq_seq"', 1, false);


--
-- Name: affiliate_ids affiliate_ids_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."affiliate_ids"
    ADD CONSTRAINT "affiliate_ids_pkey" PRIMARY KEY ("affid");


--
-- Name: affiliates affiliates_name_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."affiliates"
    ADD CONSTRAINT "affiliates_name_key" UNIQUE ("name");


--
-- Name: affiliates affiliates_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."affiliates"
    ADD CONSTRAINT "affiliates_pkey" PRIMARY KEY ("id");


--
-- Name: alert_state alert_state_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."alert_state"
    ADD CONSTRAINT "alert_state_pkey" PRIMARY KEY ("id");


--
-- Name: attempts attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."attempts"
    ADD CONSTRAINT "attempts_pkey" PRIMARY KEY ("id");


--
-- Name: audit_changes audit_changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."audit_changes"
    ADD CONSTRAINT "audit_changes_pkey" PRIMARY KEY ("audit_id");


--
-- Name: audit_outcomes audit_outcomes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."audit_outcomes"
    ADD CONSTRAINT "audit_outcomes_pkey" PRIMARY KEY ("audit_id");


--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."audit"
    ADD CONSTRAINT "audit_pkey" PRIMARY KEY ("id");


--
-- Name: cap_uses cap_uses_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."cap_uses"
    ADD CONSTRAINT "cap_uses_pkey" PRIMARY KEY ("cap_id", "period", "delivery_id");


--
-- Name: caps caps_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."caps"
    ADD CONSTRAINT "caps_pkey" PRIMARY KEY ("id");


--
-- Name: clock_differences clock_differences_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."clock_differences"
    ADD CONSTRAINT "clock_differences_pkey" PRIMARY KEY ("server");


--
-- Name: consents consents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."consents"
    ADD CONSTRAINT "consents_pkey" PRIMARY KEY ("lead_id");


--
-- Name: deliveries deliveries_lead_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."deliveries"
    ADD CONSTRAINT "deliveries_lead_id_key" UNIQUE ("lead_id");


--
-- Name: deliveries deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."deliveries"
    ADD CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id");


--
-- Name: delivery_endings delivery_endings_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."delivery_endings"
    ADD CONSTRAINT "delivery_endings_key" PRIMARY KEY ("delivery_id", "owed_again_at");


--
-- Name: delivery_gate delivery_gate_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."delivery_gate"
    ADD CONSTRAINT "delivery_gate_pkey" PRIMARY KEY ("id");


--
-- Name: delivery_holds delivery_holds_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."delivery_holds"
    ADD CONSTRAINT "delivery_holds_pkey" PRIMARY KEY ("id");


--
-- Name: delivery_rollups delivery_rollups_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."delivery_rollups"
    ADD CONSTRAINT "delivery_rollups_pkey" PRIMARY KEY ("from_at");


--
-- Name: disclosures disclosures_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."disclosures"
    ADD CONSTRAINT "disclosures_pkey" PRIMARY KEY ("hash");


--
-- Name: enquirers enquirers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."enquirers"
    ADD CONSTRAINT "enquirers_pkey" PRIMARY KEY ("same_enquiry_hash");


--
-- Name: error_groups error_groups_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."error_groups"
    ADD CONSTRAINT "error_groups_pkey" PRIMARY KEY ("id");


--
-- Name: export_progress export_progress_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."export_progress"
    ADD CONSTRAINT "export_progress_pkey" PRIMARY KEY ("id");


--
-- Name: funnel_counts funnel_counts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."funnel_counts"
    ADD CONSTRAINT "funnel_counts_pkey" PRIMARY KEY ("scope", "from_at", "group_id");


--
-- Name: held_deliveries held_deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."held_deliveries"
    ADD CONSTRAINT "held_deliveries_pkey" PRIMARY KEY ("delivery_id");


--
-- Name: held_releases held_releases_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."held_releases"
    ADD CONSTRAINT "held_releases_pkey" PRIMARY KEY ("lead_id");


--
-- Name: job_members job_members_place; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."job_members"
    ADD CONSTRAINT "job_members_place" PRIMARY KEY ("job_id", "position");


--
-- Name: jobs jobs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."jobs"
    ADD CONSTRAINT "jobs_pkey" PRIMARY KEY ("id");


--
-- Name: kept_forms kept_forms_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."kept_forms"
    ADD CONSTRAINT "kept_forms_pkey" PRIMARY KEY ("id_hash");


--
-- Name: kysely_migration_lock kysely_migration_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."kysely_migration_lock"
    ADD CONSTRAINT "kysely_migration_lock_pkey" PRIMARY KEY ("id");


--
-- Name: kysely_migration kysely_migration_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."kysely_migration"
    ADD CONSTRAINT "kysely_migration_pkey" PRIMARY KEY ("name");


--
-- Name: lead_changes lead_changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."lead_changes"
    ADD CONSTRAINT "lead_changes_pkey" PRIMARY KEY ("seq");


--
-- Name: lead_index lead_index_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."lead_index"
    ADD CONSTRAINT "lead_index_pkey" PRIMARY KEY ("lead_id");


--
-- Name: lead_keys lead_keys_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."lead_keys"
    ADD CONSTRAINT "lead_keys_key" PRIMARY KEY ("key", "received_at", "lead_id");


--
-- Name: lead_news lead_news_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."lead_news"
    ADD CONSTRAINT "lead_news_pkey" PRIMARY KEY ("seq");


--
-- Name: lead_searches lead_searches_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."lead_searches"
    ADD CONSTRAINT "lead_searches_pkey" PRIMARY KEY ("id");


--
-- Name: leads leads_idempotency_key_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."leads"
    ADD CONSTRAINT "leads_idempotency_key_key" UNIQUE ("idempotency_key");


--
-- Name: leads leads_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."leads"
    ADD CONSTRAINT "leads_pkey" PRIMARY KEY ("id");


--
-- Name: leads_to_index leads_to_index_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."leads_to_index"
    ADD CONSTRAINT "leads_to_index_pkey" PRIMARY KEY ("lead_id");


--
-- Name: notification_gates notification_gates_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."notification_gates"
    ADD CONSTRAINT "notification_gates_pkey" PRIMARY KEY ("id");


--
-- Name: notifications notifications_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."notifications"
    ADD CONSTRAINT "notifications_pkey" PRIMARY KEY ("id");


--
-- Name: operator_credentials operator_credentials_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."operator_credentials"
    ADD CONSTRAINT "operator_credentials_pkey" PRIMARY KEY ("id");


--
-- Name: operator_links operator_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."operator_links"
    ADD CONSTRAINT "operator_links_pkey" PRIMARY KEY ("code_hash");


--
-- Name: operator_sessions operator_sessions_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."operator_sessions"
    ADD CONSTRAINT "operator_sessions_id_key" UNIQUE ("id");


--
-- Name: operator_sessions operator_sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."operator_sessions"
    ADD CONSTRAINT "operator_sessions_pkey" PRIMARY KEY ("token_hash");


--
-- Name: operators operators_email_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."operators"
    ADD CONSTRAINT "operators_email_key" UNIQUE ("email");


--
-- Name: operators operators_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."operators"
    ADD CONSTRAINT "operators_pkey" PRIMARY KEY ("id");


--
-- Name: return_columns return_columns_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."return_columns"
    ADD CONSTRAINT "return_columns_pkey" PRIMARY KEY ("field");


--
-- Name: returns returns_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."returns"
    ADD CONSTRAINT "returns_pkey" PRIMARY KEY ("lead_id");


--
-- Name: saved_views saved_views_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."saved_views"
    ADD CONSTRAINT "saved_views_pkey" PRIMARY KEY ("id");


--
-- Name: secrets secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."secrets"
    ADD CONSTRAINT "secrets_pkey" PRIMARY KEY ("name");


--
-- Name: sign_in_failures sign_in_failures_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."sign_in_failures"
    ADD CONSTRAINT "sign_in_failures_pkey" PRIMARY KEY ("key");


--
-- Name: visits visits_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."visits"
    ADD CONSTRAINT "visits_pkey" PRIMARY KEY ("id");


--
-- Name: webhooks webhooks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."webhooks"
    ADD CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id");


--
-- Name: affiliate_ids_affiliate; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "affiliate_ids_affiliate" ON "public"."affiliate_ids" USING "btree" ("affiliate_id");


--
-- Name: attempts_by_outcome; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "attempts_by_outcome" ON "public"."attempts" USING "btree" ("outcome");


--
-- Name: attempts_of_delivery; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "attempts_of_delivery" ON "public"."attempts" USING "btree" ("delivery_id");


--
-- Name: audit_of_action; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "audit_of_action" ON "public"."audit" USING "btree" ("action", "id");


--
-- Name: audit_of_operator; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "audit_of_operator" ON "public"."audit" USING "btree" ("operator_id", "id") WHERE ("operator_id" IS NOT NULL);


--
-- Name: audit_of_subject; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "audit_of_subject" ON "public"."audit" USING "btree" ("subject", "id") WHERE ("subject" IS NOT NULL);


--
-- Name: audit_of_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "audit_of_user" ON "public"."audit" USING "btree" ("system_user", "id") WHERE ("system_user" IS NOT NULL);


--
-- Name: audit_operator_id_did; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "audit_operator_id_did" ON "public"."audit" USING "btree" (((("operator_id" || '|'::"text") || "action")), "id") WHERE ("operator_id" IS NOT NULL);


--
-- Name: audit_system_user_did; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "audit_system_user_did" ON "public"."audit" USING "btree" (((("system_user" || '|'::"text") || "action")), "id") WHERE ("system_user" IS NOT NULL);


--
-- Name: audit_via; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "audit_via" ON "public"."audit" USING "btree" ("via", "id");


--
-- Name: audit_via_did; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "audit_via_did" ON "public"."audit" USING "btree" (((("via" || '|'::"text") || "action")), "id") WHERE ("via" IS NOT NULL);


--
-- Name: cap_uses_of_delivery; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "cap_uses_of_delivery" ON "public"."cap_uses" USING "btree" ("delivery_id");


--
-- Name: deliveries_by_standing; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "deliveries_by_standing" ON "public"."deliveries" USING "btree" ("settled_as", "created_at", "lead_id");


--
-- Name: deliveries_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "deliveries_due" ON "public"."deliveries" USING "btree" ("next_at", "id") WHERE ("settled_at" IS NULL);


--
-- Name: deliveries_of_erased; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "deliveries_of_erased" ON "public"."deliveries" USING "btree" ("settled_as") WHERE ("lead_erased_at" IS NOT NULL);


--
-- Name: deliveries_possibly_sent_twice; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "deliveries_possibly_sent_twice" ON "public"."deliveries" USING "btree" ("possible_duplicates") WHERE ("possible_duplicates" > 0);


--
-- Name: deliveries_restored; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "deliveries_restored" ON "public"."deliveries" USING "btree" ("created_at", "lead_id") WHERE (("restored_at" IS NOT NULL) AND ("settled_at" IS NULL));


--
-- Name: deliveries_settled_because; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "deliveries_settled_because" ON "public"."deliveries" USING "btree" ("settled_because") WHERE ("settled_because" IS NOT NULL);


--
-- Name: deliveries_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "deliveries_waiting" ON "public"."deliveries" USING "btree" ("waits_since") WHERE (("settled_at" IS NULL) AND ("waits_since" IS NOT NULL));


--
-- Name: delivery_holds_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "delivery_holds_newest" ON "public"."delivery_holds" USING "btree" ("began_at", "id");


--
-- Name: held_deliveries_of_cap; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "held_deliveries_of_cap" ON "public"."held_deliveries" USING "btree" ("cap_id");


--
-- Name: job_members_of_lead; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "job_members_of_lead" ON "public"."job_members" USING "btree" ("lead_id");


--
-- Name: job_members_outcome; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "job_members_outcome" ON "public"."job_members" USING "btree" ("job_id", "outcome", "position") WHERE ("outcome" IS NOT NULL);


--
-- Name: jobs_under_way; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "jobs_under_way" ON "public"."jobs" USING "btree" ("id") WHERE ("ended_at" IS NULL);


--
-- Name: jobs_with_members; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "jobs_with_members" ON "public"."jobs" USING "btree" ("ended_at") WHERE ("members_removed_at" IS NULL);


--
-- Name: lead_index_affiliate; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_affiliate" ON "public"."lead_index" USING "btree" ("affiliate", "received_at", "lead_id") WHERE ("affiliate" IS NOT NULL);


--
-- Name: lead_index_affiliate_key; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_affiliate_key" ON "public"."lead_index" USING "btree" ("affiliate_key", "received_at", "lead_id") WHERE ("affiliate_key" IS NOT NULL);


--
-- Name: lead_index_area; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_area" ON "public"."lead_index" USING "btree" ("area", "received_at", "lead_id") WHERE ("area" IS NOT NULL);


--
-- Name: lead_index_attempts; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_attempts" ON "public"."lead_index" USING "btree" ((
CASE
    WHEN ("attempts" = 0) THEN 0
    WHEN ("attempts" < 5) THEN 2
    WHEN ("attempts" < 20) THEN 5
    ELSE 20
END), "received_at", "lead_id") WHERE ("attempts" <> 1);


--
-- Name: lead_index_campaign; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_campaign" ON "public"."lead_index" USING "btree" ("campaign", "received_at", "lead_id") WHERE ("campaign" IS NOT NULL);


--
-- Name: lead_index_campaign_key; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_campaign_key" ON "public"."lead_index" USING "btree" ("campaign_key", "received_at", "lead_id") WHERE ("campaign_key" IS NOT NULL);


--
-- Name: lead_index_error; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_error" ON "public"."lead_index" USING "btree" ("error", "received_at", "lead_id") WHERE ("error" IS NOT NULL);


--
-- Name: lead_index_error_group; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_error_group" ON "public"."lead_index" USING "btree" ("error_group", "received_at", "lead_id") WHERE ("error_group" IS NOT NULL);


--
-- Name: lead_index_failed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_failed" ON "public"."lead_index" USING "btree" ("error_group", "status", "failed_at", "lead_id") WHERE ("error_group" IS NOT NULL);


--
-- Name: lead_index_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_newest" ON "public"."lead_index" USING "btree" ("received_at", "lead_id");


--
-- Name: lead_index_program; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_program" ON "public"."lead_index" USING "btree" ("program", "received_at", "lead_id") WHERE ("program" IS NOT NULL);


--
-- Name: lead_index_rejected; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_rejected" ON "public"."lead_index" USING "btree" ("rejected_because", "received_at", "lead_id") WHERE ("rejected_because" IS NOT NULL);


--
-- Name: lead_index_returned; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_returned" ON "public"."lead_index" USING "btree" ("received_at", "lead_id") WHERE ("returned_at" IS NOT NULL);


--
-- Name: lead_index_source; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_source" ON "public"."lead_index" USING "btree" ("source", "received_at", "lead_id") WHERE ("source" IS NOT NULL);


--
-- Name: lead_index_source_key; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_source_key" ON "public"."lead_index" USING "btree" ("source_key", "received_at", "lead_id") WHERE ("source_key" IS NOT NULL);


--
-- Name: lead_index_state; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_state" ON "public"."lead_index" USING "btree" ("state", "received_at", "lead_id") WHERE ("state" IS NOT NULL);


--
-- Name: lead_index_status; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_status" ON "public"."lead_index" USING "btree" ("status", "received_at", "lead_id") WHERE ("status" IS NOT NULL);


--
-- Name: lead_index_unverified; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_index_unverified" ON "public"."lead_index" USING "btree" ("received_at", "lead_id") WHERE ("verified" = 0);


--
-- Name: lead_keys_of; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "lead_keys_of" ON "public"."lead_keys" USING "btree" ("lead_id");


--
-- Name: leads_corrections; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "leads_corrections" ON "public"."leads" USING "btree" ("corrects") WHERE ("corrects" IS NOT NULL);


--
-- Name: leads_duplicate; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "leads_duplicate" ON "public"."leads" USING "btree" ("received_at", "id") WHERE ("duplicate_of" IS NOT NULL);


--
-- Name: leads_erased; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "leads_erased" ON "public"."leads" USING "btree" ("received_at", "id") WHERE ("erased_at" IS NOT NULL);


--
-- Name: leads_erased_by; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "leads_erased_by" ON "public"."leads" USING "btree" ("erased_by") WHERE ("erased_by" IS NOT NULL);


--
-- Name: leads_in_quarantine; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "leads_in_quarantine" ON "public"."leads" USING "btree" ("received_at", "id") WHERE (("quarantined_at" IS NOT NULL) AND ("released_at" IS NULL) AND ("erased_at" IS NULL));


--
-- Name: leads_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "leads_newest" ON "public"."leads" USING "btree" ("received_at", "id");


--
-- Name: leads_repeating; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "leads_repeating" ON "public"."leads" USING "btree" ("duplicate_of") WHERE ("duplicate_of" IS NOT NULL);


--
-- Name: notifications_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "notifications_due" ON "public"."notifications" USING "btree" ("kind", "destination", "next_at", "id") WHERE ("settled_at" IS NULL);


--
-- Name: notifications_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "notifications_newest" ON "public"."notifications" USING "btree" ("kind", "destination", "created_at");


--
-- Name: notifications_of_lead; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "notifications_of_lead" ON "public"."notifications" USING "btree" ("lead_id");


--
-- Name: notifications_once; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX "notifications_once" ON "public"."notifications" USING "btree" ("kind", "destination", "subject");


--
-- Name: notifications_sent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "notifications_sent" ON "public"."notifications" USING "btree" ("kind", "destination", "settled_at") WHERE ("settled_as" = 'delivered'::"text");


--
-- Name: notifications_settled; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "notifications_settled" ON "public"."notifications" USING "btree" ("settled_at") WHERE ("settled_at" IS NOT NULL);


--
-- Name: operator_credentials_of; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "operator_credentials_of" ON "public"."operator_credentials" USING "btree" ("operator_id", "kind");


--
-- Name: operator_links_of; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "operator_links_of" ON "public"."operator_links" USING "btree" ("operator_id", "purpose");


--
-- Name: operator_sessions_of; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "operator_sessions_of" ON "public"."operator_sessions" USING "btree" ("operator_id");


--
-- Name: returns_imported; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "returns_imported" ON "public"."returns" USING "btree" ("imported_at");


--
-- Name: sign_in_failures_last; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "sign_in_failures_last" ON "public"."sign_in_failures" USING "btree" ("last_at");


--
-- Name: visits_open; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "visits_open" ON "public"."visits" USING "btree" ("seen_at") WHERE ("folded_at" IS NULL);


--
-- Name: audit_changes audit_changes_no_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "audit_changes_no_change" BEFORE DELETE OR UPDATE ON "public"."audit_changes" FOR EACH ROW EXECUTE FUNCTION "public"."refuse_change"();


--
-- Name: audit_changes audit_changes_no_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "audit_changes_no_truncate" BEFORE TRUNCATE ON "public"."audit_changes" FOR EACH STATEMENT EXECUTE FUNCTION "public"."refuse_change"();


--
-- Name: audit audit_no_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "audit_no_change" BEFORE DELETE OR UPDATE ON "public"."audit" FOR EACH ROW EXECUTE FUNCTION "public"."refuse_change"();


--
-- Name: audit audit_no_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "audit_no_truncate" BEFORE TRUNCATE ON "public"."audit" FOR EACH STATEMENT EXECUTE FUNCTION "public"."refuse_change"();


--
-- Name: audit_outcomes audit_outcomes_no_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "audit_outcomes_no_change" BEFORE DELETE OR UPDATE ON "public"."audit_outcomes" FOR EACH ROW EXECUTE FUNCTION "public"."refuse_change"();


--
-- Name: audit_outcomes audit_outcomes_no_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "audit_outcomes_no_truncate" BEFORE TRUNCATE ON "public"."audit_outcomes" FOR EACH STATEMENT EXECUTE FUNCTION "public"."refuse_change"();


--
-- Name: deliveries delivery_answered; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "delivery_answered" AFTER UPDATE OF "settled_as" ON "public"."deliveries" FOR EACH ROW WHEN ((("new"."settled_as" IS DISTINCT FROM "old"."settled_as") AND ("new"."settled_as" = ANY (ARRAY['delivered'::"text", 'rejected'::"text"])))) EXECUTE FUNCTION "public"."delivery_answered"();


--
-- Name: deliveries delivery_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "delivery_changed" AFTER UPDATE OF "attempts", "settled_as" ON "public"."deliveries" FOR EACH ROW WHEN ((("new"."attempts" <> "old"."attempts") OR ("new"."settled_as" IS DISTINCT FROM "old"."settled_as"))) EXECUTE FUNCTION "public"."delivery_changed"();


--
-- Name: deliveries delivery_inserted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "delivery_inserted" AFTER INSERT ON "public"."deliveries" REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "public"."delivery_inserted"();


--
-- Name: leads lead_erased; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "lead_erased" AFTER UPDATE OF "erased_at" ON "public"."leads" FOR EACH ROW WHEN (("new"."erased_at" IS NOT NULL)) EXECUTE FUNCTION "public"."lead_erased"();


--
-- Name: leads lead_erased_origins; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "lead_erased_origins" AFTER UPDATE OF "erased_at" ON "public"."leads" FOR EACH ROW WHEN (("new"."erased_at" IS NOT NULL)) EXECUTE FUNCTION "public"."lead_erased_origins"();


--
-- Name: leads lead_inserted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "lead_inserted" AFTER INSERT ON "public"."leads" REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "public"."lead_inserted"();


--
-- Name: leads lead_released; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "lead_released" AFTER UPDATE OF "released_at" ON "public"."leads" FOR EACH ROW EXECUTE FUNCTION "public"."lead_released"();


--
-- Name: deliveries rejected_delivery_inserted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "rejected_delivery_inserted" AFTER INSERT ON "public"."deliveries" FOR EACH ROW WHEN (("new"."settled_as" = 'rejected'::"text")) EXECUTE FUNCTION "public"."rejected_delivery_inserted"();


--
-- Name: leads rejected_lead_erased; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "rejected_lead_erased" AFTER UPDATE OF "erased_at" ON "public"."leads" FOR EACH ROW WHEN (("new"."erased_at" IS NOT NULL)) EXECUTE FUNCTION "public"."rejected_lead_erased"();


--
-- Name: attempts attempts_delivery_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."attempts"
    ADD CONSTRAINT "attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE CASCADE;


--
-- Name: audit_changes audit_changes_audit_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."audit_changes"
    ADD CONSTRAINT "audit_changes_audit_id_fkey" FOREIGN KEY ("audit_id") REFERENCES "public"."audit"("id");


--
-- Name: audit_outcomes audit_outcomes_audit_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."audit_outcomes"
    ADD CONSTRAINT "audit_outcomes_audit_id_fkey" FOREIGN KEY ("audit_id") REFERENCES "public"."audit"("id");


--
-- Name: cap_uses cap_uses_cap_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."cap_uses"
    ADD CONSTRAINT "cap_uses_cap_id_fkey" FOREIGN KEY ("cap_id") REFERENCES "public"."caps"("id") ON DELETE CASCADE;


--
-- Name: cap_uses cap_uses_delivery_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."cap_uses"
    ADD CONSTRAINT "cap_uses_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE CASCADE;


--
-- Name: consents consents_disclosure_hash_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."consents"
    ADD CONSTRAINT "consents_disclosure_hash_fkey" FOREIGN KEY ("disclosure_hash") REFERENCES "public"."disclosures"("hash");


--
-- Name: consents consents_lead_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."consents"
    ADD CONSTRAINT "consents_lead_id_fkey" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE CASCADE;


--
-- Name: deliveries deliveries_lead_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."deliveries"
    ADD CONSTRAINT "deliveries_lead_id_fkey" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE CASCADE;


--
-- Name: enquirers enquirers_lead_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."enquirers"
    ADD CONSTRAINT "enquirers_lead_id_fkey" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE CASCADE;


--
-- Name: held_deliveries held_deliveries_cap_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."held_deliveries"
    ADD CONSTRAINT "held_deliveries_cap_id_fkey" FOREIGN KEY ("cap_id") REFERENCES "public"."caps"("id") ON DELETE CASCADE;


--
-- Name: held_deliveries held_deliveries_delivery_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."held_deliveries"
    ADD CONSTRAINT "held_deliveries_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE CASCADE;


--
-- Name: job_members job_members_job_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."job_members"
    ADD CONSTRAINT "job_members_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id");


--
-- Name: leads leads_corrects_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."leads"
    ADD CONSTRAINT "leads_corrects_fkey" FOREIGN KEY ("corrects") REFERENCES "public"."leads"("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED;


--
-- Name: leads leads_duplicate_of_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."leads"
    ADD CONSTRAINT "leads_duplicate_of_fkey" FOREIGN KEY ("duplicate_of") REFERENCES "public"."leads"("id") ON DELETE SET NULL;


--
-- Name: notifications notifications_lead_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."notifications"
    ADD CONSTRAINT "notifications_lead_id_fkey" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE CASCADE;


--
-- Name: operator_credentials operator_credentials_operator_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."operator_credentials"
    ADD CONSTRAINT "operator_credentials_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id");


--
-- Name: operator_links operator_links_operator_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."operator_links"
    ADD CONSTRAINT "operator_links_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id");


--
-- Name: operator_sessions operator_sessions_operator_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."operator_sessions"
    ADD CONSTRAINT "operator_sessions_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id");


--
-- Name: returns returns_lead_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY "public"."returns"
    ADD CONSTRAINT "returns_lead_id_fkey" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


