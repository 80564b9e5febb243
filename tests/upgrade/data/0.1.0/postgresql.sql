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

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: attempts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.attempts (
    id text NOT NULL,
    delivery_id text NOT NULL,
    started_at bigint NOT NULL,
    duration_ms bigint NOT NULL,
    outcome text NOT NULL,
    http_status integer,
    detail text
);


--
-- Name: consents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.consents (
    lead_id text NOT NULL,
    disclosure_hash text NOT NULL,
    agreed_at bigint NOT NULL,
    ip text NOT NULL,
    user_agent text NOT NULL,
    page_url text NOT NULL
);


--
-- Name: deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.deliveries (
    id text NOT NULL,
    lead_id text NOT NULL,
    created_at bigint NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_at bigint NOT NULL,
    lease text,
    leased_until bigint,
    settled_as text,
    settled_at bigint,
    spared integer DEFAULT 0 NOT NULL,
    unknown_attempts integer DEFAULT 0 NOT NULL,
    possible_duplicates integer DEFAULT 0 NOT NULL,
    waits_since bigint,
    settled_because text,
    lead_erased_at bigint
);


--
-- Name: delivery_gate; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.delivery_gate (
    id integer NOT NULL,
    paused_by text,
    pause_reason text,
    paused_at bigint,
    outage_since bigint,
    failed_probes integer DEFAULT 0 NOT NULL,
    probe text,
    probe_at bigint
);


--
-- Name: disclosures; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.disclosures (
    hash text NOT NULL,
    text text NOT NULL
);


--
-- Name: enquirers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.enquirers (
    same_enquiry_hash text NOT NULL,
    lead_id text NOT NULL,
    received_at bigint NOT NULL
);


--
-- Name: kysely_migration; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);


--
-- Name: kysely_migration_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: leads; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.leads (
    id text NOT NULL,
    idempotency_key text NOT NULL,
    same_enquiry_hash text NOT NULL,
    received_at bigint NOT NULL,
    area text NOT NULL,
    email text NOT NULL,
    duplicate_of text,
    payload text NOT NULL,
    erased_at bigint,
    signals text,
    quarantined_at bigint,
    released_at bigint,
    erased_by text
);


--
-- Name: secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.secrets (
    name text NOT NULL,
    value text NOT NULL
);


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.attempts VALUES ('01a20319-c63b-754a-bafe-f3f65130ba52', '01a20319-c617-7c03-b088-4d7c51fb2fb2', 1768478400000, 5, 'unknown', NULL, 'no answer');
INSERT INTO public.attempts VALUES ('01a20319-c649-7b19-ac42-23f61a88cf8c', '01a20319-c61d-7c66-893d-081dec7a8309', 1768478400000, 5, 'delivered', 200, NULL);
INSERT INTO public.attempts VALUES ('01a20319-c64e-73ec-9493-3cf62397e273', '01a20319-c61f-77ed-a92d-e58271b18d1f', 1768478400000, 5, 'rejected', 200, 'Reached the monthly offer cap');
INSERT INTO public.attempts VALUES ('01a20319-c652-7f2e-b2b8-79d658e81291', '01a20319-c621-760b-9bf0-45b79023bf34', 1768478400000, 5, 'broken', 500, 'said: dead@example.com');


--
-- Data for Name: consents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.consents VALUES ('01a20319-c616-7f9e-983e-44076ad2fc45', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
INSERT INTO public.consents VALUES ('01a20319-c61a-7c29-8e6b-528164cc2b03', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
INSERT INTO public.consents VALUES ('01a20319-c61d-79c7-84f9-901b3927a284', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
INSERT INTO public.consents VALUES ('01a20319-c61f-729c-8668-2d20baea4b95', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
INSERT INTO public.consents VALUES ('01a20319-c621-796f-8dee-e04c416e5542', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
INSERT INTO public.consents VALUES ('01a20319-c623-7ac2-8d2d-961b363783d3', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
INSERT INTO public.consents VALUES ('01a20319-c624-7252-b861-938a645a9046', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '203.0.113.7', 'Example/1.0', 'https://school.example/healthcare');
INSERT INTO public.consents VALUES ('01a20319-c626-787d-a910-7a683b74e2b7', 'fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 1768478399000, '', '', 'https://school.example/healthcare');


--
-- Data for Name: deliveries; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.deliveries VALUES ('01a20319-c626-7dcc-871d-694b18aa185d', '01a20319-c626-787d-a910-7a683b74e2b7', 1768478220000, 0, 1768478220000, NULL, NULL, 'erased', 1768478400000, 0, 0, 0, NULL, NULL, 1768478400000);
INSERT INTO public.deliveries VALUES ('01a20319-c61b-7ed0-8429-789fb2d2df74', '01a20319-c61a-7c29-8e6b-528164cc2b03', 1768477860000, 0, 1768478460000, '01a20319-c632-788f-a4f4-2e86f7c092aa', 1768478460000, NULL, NULL, 0, 0, 0, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('01a20319-c617-7c03-b088-4d7c51fb2fb2', '01a20319-c616-7f9e-983e-44076ad2fc45', 1768477800000, 1, 1768478700000, NULL, NULL, NULL, NULL, 0, 1, 0, 1768478400005, NULL, NULL);
INSERT INTO public.deliveries VALUES ('01a20319-c61d-7c66-893d-081dec7a8309', '01a20319-c61d-79c7-84f9-901b3927a284', 1768477920000, 1, 1768478460000, NULL, NULL, 'delivered', 1768478400005, 0, 0, 0, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('01a20319-c61f-77ed-a92d-e58271b18d1f', '01a20319-c61f-729c-8668-2d20baea4b95', 1768477980000, 1, 1768478460000, NULL, NULL, 'rejected', 1768478400005, 0, 0, 0, NULL, 'cap', NULL);
INSERT INTO public.deliveries VALUES ('01a20319-c621-760b-9bf0-45b79023bf34', '01a20319-c621-796f-8dee-e04c416e5542', 1768478040000, 1, 1768478460000, NULL, NULL, 'dead', 1768478400005, 0, 0, 0, NULL, NULL, NULL);


--
-- Data for Name: delivery_gate; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.delivery_gate VALUES (1, NULL, NULL, NULL, NULL, 0, NULL, NULL);


--
-- Data for Name: disclosures; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.disclosures VALUES ('fdc23f69d9540622b514a411d84ab646eb214d63fa9fbdb5094846ab7cb28d58', 'I agree that the school may email me — at any time.');


--
-- Data for Name: enquirers; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.enquirers VALUES ('0bf614e64658bdb3d410247879d1c72432931f3252fb5d0854ee53ad9bfb3d05', '01a20319-c616-7f9e-983e-44076ad2fc45', 1768477800000);
INSERT INTO public.enquirers VALUES ('15504092718ed9b73ed8d7a593d1c7b1af033b89a8ada2c326856611c5646777', '01a20319-c61a-7c29-8e6b-528164cc2b03', 1768477860000);
INSERT INTO public.enquirers VALUES ('e50a88d46822a2962fa427149765ff6f9ddc93a24f2617ab601b84eabb2da458', '01a20319-c61d-79c7-84f9-901b3927a284', 1768477920000);
INSERT INTO public.enquirers VALUES ('6e927abad9513e4e548a41762ce2fa2f097fe42bc8da2dc310ffdd28a6434080', '01a20319-c61f-729c-8668-2d20baea4b95', 1768477980000);
INSERT INTO public.enquirers VALUES ('4b9b787d874cb864789593d4c8e98fbf5db31d801c762b1c254f69c0ba8c3fbf', '01a20319-c621-796f-8dee-e04c416e5542', 1768478040000);


--
-- Data for Name: kysely_migration; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.kysely_migration VALUES ('0001-leads-and-deliveries', '2026-11-22T11:52:30.430Z');
INSERT INTO public.kysely_migration VALUES ('0002-delivery-gate', '2026-11-22T11:52:30.455Z');
INSERT INTO public.kysely_migration VALUES ('0003-erased-leads', '2026-11-22T11:52:30.466Z');
INSERT INTO public.kysely_migration VALUES ('0004-quarantine', '2026-11-22T11:52:30.477Z');
INSERT INTO public.kysely_migration VALUES ('0005-retention', '2026-11-22T11:52:30.484Z');


--
-- Data for Name: kysely_migration_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.kysely_migration_lock VALUES ('migration_lock', 0);


--
-- Data for Name: leads; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.leads VALUES ('01a20319-c616-7f9e-983e-44076ad2fc45', '1209e03b-cdac-4bd5-a8fa-85ed0b248e5c', '0bf614e64658bdb3d410247879d1c72432931f3252fb5d0854ee53ad9bfb3d05', 1768477800000, 'healthcare', 'pending@example.com', NULL, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"educationLevelId":790,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false}', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.leads VALUES ('01a20319-c61a-7c29-8e6b-528164cc2b03', 'c48f97ad-e39f-48ef-8ce7-c8551dda9a06', '15504092718ed9b73ed8d7a593d1c7b1af033b89a8ada2c326856611c5646777', 1768477860000, 'healthcare', 'leased@example.com', NULL, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"educationLevelId":790,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false}', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.leads VALUES ('01a20319-c61d-79c7-84f9-901b3927a284', '0bc5107c-5432-4879-a66f-76ed5fca2916', 'e50a88d46822a2962fa427149765ff6f9ddc93a24f2617ab601b84eabb2da458', 1768477920000, 'healthcare', 'delivered@example.com', NULL, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"educationLevelId":790,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false}', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.leads VALUES ('01a20319-c61f-729c-8668-2d20baea4b95', '68e8e09c-9c73-49fa-95a4-8af0b365375a', '6e927abad9513e4e548a41762ce2fa2f097fe42bc8da2dc310ffdd28a6434080', 1768477980000, 'healthcare', 'rejected@example.com', NULL, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"educationLevelId":790,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false}', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.leads VALUES ('01a20319-c621-796f-8dee-e04c416e5542', '112d5fed-5055-45c0-aeeb-dbb04cd71876', '4b9b787d874cb864789593d4c8e98fbf5db31d801c762b1c254f69c0ba8c3fbf', 1768478040000, 'healthcare', 'dead@example.com', NULL, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"educationLevelId":790,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false}', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.leads VALUES ('01a20319-c623-7ac2-8d2d-961b363783d3', '250c3a99-75ec-458d-b108-cf07d57718df', '4b9b787d874cb864789593d4c8e98fbf5db31d801c762b1c254f69c0ba8c3fbf', 1768478100000, 'healthcare', 'dead@example.com', '01a20319-c621-796f-8dee-e04c416e5542', '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"educationLevelId":790,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false}', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.leads VALUES ('01a20319-c624-7252-b861-938a645a9046', '2d7be4c2-985e-46f9-821f-40eeb53c69da', 'a9bd770359b1ab54ae33377411d6a0e8d2032f0532c210eab73e94e34a55d8b9', 1768478160000, 'healthcare', 'quarantined@example.com', NULL, '{"subId":"affiliate 7","firstName":"Zoë","lastName":"O''Neill","phone":"9415550100","street":"1 Palm Avenue","city":"Sarasota","state":"FL","zip":"34236","zipPlus4":null,"addressVerified":true,"educationLevelId":790,"graduatingYear":2012,"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"startDateId":"one-to-three-months","gpc":false}', NULL, '["too-fast"]', 1768478160000, NULL, NULL);
INSERT INTO public.leads VALUES ('01a20319-c626-787d-a910-7a683b74e2b7', 'b83d69c5-623f-4ff1-8072-23c6b22aabe0', '', 1768478220000, 'healthcare', '', NULL, '{"program":{"id":12,"name":"B.S. Nursing (RN to BSN)","active":true,"types":["Healthcare"],"degreeType":"Bachelors"},"gpc":false}', 1768478400000, NULL, NULL, NULL, 'request');


--
-- Data for Name: secrets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.secrets VALUES ('proof of work', 'of that release');


--
-- Name: attempts attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (id);


--
-- Name: consents consents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_pkey PRIMARY KEY (lead_id);


--
-- Name: deliveries deliveries_lead_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_lead_id_key UNIQUE (lead_id);


--
-- Name: deliveries deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);


--
-- Name: delivery_gate delivery_gate_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.delivery_gate
    ADD CONSTRAINT delivery_gate_pkey PRIMARY KEY (id);


--
-- Name: disclosures disclosures_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.disclosures
    ADD CONSTRAINT disclosures_pkey PRIMARY KEY (hash);


--
-- Name: enquirers enquirers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.enquirers
    ADD CONSTRAINT enquirers_pkey PRIMARY KEY (same_enquiry_hash);


--
-- Name: kysely_migration_lock kysely_migration_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);


--
-- Name: kysely_migration kysely_migration_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);


--
-- Name: leads leads_idempotency_key_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.leads
    ADD CONSTRAINT leads_idempotency_key_key UNIQUE (idempotency_key);


--
-- Name: leads leads_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.leads
    ADD CONSTRAINT leads_pkey PRIMARY KEY (id);


--
-- Name: secrets secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_pkey PRIMARY KEY (name);


--
-- Name: attempts_by_outcome; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX attempts_by_outcome ON public.attempts USING btree (outcome);


--
-- Name: attempts_of_delivery; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX attempts_of_delivery ON public.attempts USING btree (delivery_id);


--
-- Name: deliveries_by_standing; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_by_standing ON public.deliveries USING btree (settled_as, created_at, lead_id);


--
-- Name: deliveries_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_due ON public.deliveries USING btree (next_at, id) WHERE (settled_at IS NULL);


--
-- Name: deliveries_of_erased; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_of_erased ON public.deliveries USING btree (settled_as) WHERE (lead_erased_at IS NOT NULL);


--
-- Name: deliveries_possibly_sent_twice; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_possibly_sent_twice ON public.deliveries USING btree (possible_duplicates) WHERE (possible_duplicates > 0);


--
-- Name: deliveries_settled_because; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_settled_because ON public.deliveries USING btree (settled_because) WHERE (settled_because IS NOT NULL);


--
-- Name: deliveries_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_waiting ON public.deliveries USING btree (waits_since) WHERE ((settled_at IS NULL) AND (waits_since IS NOT NULL));


--
-- Name: leads_duplicate; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX leads_duplicate ON public.leads USING btree (received_at, id) WHERE (duplicate_of IS NOT NULL);


--
-- Name: leads_erased; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX leads_erased ON public.leads USING btree (received_at, id) WHERE (erased_at IS NOT NULL);


--
-- Name: leads_erased_by; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX leads_erased_by ON public.leads USING btree (erased_by) WHERE (erased_by IS NOT NULL);


--
-- Name: leads_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX leads_newest ON public.leads USING btree (received_at, id);


--
-- Name: leads_quarantined; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX leads_quarantined ON public.leads USING btree (received_at, id) WHERE ((quarantined_at IS NOT NULL) AND (released_at IS NULL));


--
-- Name: attempts attempts_delivery_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES public.deliveries(id) ON DELETE CASCADE;


--
-- Name: consents consents_disclosure_hash_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_disclosure_hash_fkey FOREIGN KEY (disclosure_hash) REFERENCES public.disclosures(hash);


--
-- Name: consents consents_lead_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES public.leads(id) ON DELETE CASCADE;


--
-- Name: deliveries deliveries_lead_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES public.leads(id) ON DELETE CASCADE;


--
-- Name: enquirers enquirers_lead_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.enquirers
    ADD CONSTRAINT enquirers_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES public.leads(id) ON DELETE CASCADE;


--
-- Name: leads leads_duplicate_of_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.leads
    ADD CONSTRAINT leads_duplicate_of_fkey FOREIGN KEY (duplicate_of) REFERENCES public.leads(id) ON DELETE SET NULL;


--
-- PostgreSQL database dump complete
--


