// The parts of the statement that writes findings. Each part opens all indexes of its table even if it writes nothing, so unneeded parts are left out.

import { type RawBuilder, sql } from 'kysely'
import { anyCompany } from '../../../core/db/any-company.ts'
import type { Id } from '../../../core/ids.ts'
import { issueColumns } from '../store.ts'
import { usualWorths } from './store-worth.ts'

type Part = RawBuilder<unknown>

/** Inserts the new findings of `given`, except those whose birth key exists already. The trigger computes the values of unusual ones. */
export const creating = (companyId: Id, authorId: Id): Part => sql`
    created as (
      insert into finding as issue (company_id, id, asset_id, type, tool_name, rule, title, description, severity, impact_level,
        probability_level, cvss_score, cvss_vector, status, category, cwe_ids, patterns, reference, solution, source,
        sink, detail, original_issue_id, fingerprint, partial_fingerprint, scan_digest, birth_key, commit_ref,
        project_id, scan_id, deploy_id, author_id, sla_started_at, sla_due_at, priority_score, revalue_at)
      select ${companyId}::bigint, coalesce("newId", nextval('issue_id_seq')), "assetId", type, "toolName", rule, title, coalesce(description, ''), given.severity,
        "impactLevel", "probabilityLevel", "cvssScore", "cvssVector", status, category, coalesce("cweIds", '{}'),
        coalesce(patterns, '{}'), reference, solution, source, sink, coalesce(detail, '{}'),
        "originalIssueIdFromTool", fingerprint, "partialFingerprint", digest, decode("birthKey", 'hex'), commit,
        "projectId", "scanId", "deployId", ${authorId}::bigint, worth.started_at, worth.due_at, coalesce(worth.score, 0),
        case when worth.severity is null then '-infinity' else worth.revalue_at end
      from given left join lateral (${usualWorths(companyId, sql`given."assetId"`)}) as worth on given."isUsual" and worth.severity = given.severity
      where "issueId" is null order by n
      on conflict (company_id, birth_key) do nothing
      returning ${issueColumns}, encode(birth_key, 'hex') as "birthKey")`

export const creatingNone: Part = sql`
    created as (select ${issueColumns}, null::text as "birthKey" from finding as issue where false)`

/** Updates the known findings of `given` whose fields change, except those that somebody else changed since they were read or, unless `waits`, has locked. */
export const changing = (companyId: Id, waits: boolean): Part => sql`
    held as materialized (
      select issue.id from finding as issue join given on issue.company_id = ${anyCompany(companyId)} and issue.id = given."issueId"
        and issue.updated_at = given."updatedAt"
      where "isChanged" order by issue.id for update of issue ${waits ? sql`` : sql`skip locked`}),
    changed as (
      update finding as issue set title = coalesce(given.title, issue.title),
        description = coalesce(given.description, issue.description),
        severity = coalesce(given.severity, issue.severity),
        own_severity = case when given.severity is null then own_severity end,
        impact_level = coalesce("impactLevel", impact_level), probability_level = coalesce("probabilityLevel", probability_level),
        cvss_score = coalesce("cvssScore", cvss_score), cvss_vector = coalesce("cvssVector", cvss_vector),
        category = coalesce(given.category, issue.category), cwe_ids = coalesce("cweIds", cwe_ids),
        own_cwe_ids = case when "cweIds" is null then own_cwe_ids end,
        patterns = coalesce(given.patterns, issue.patterns), reference = coalesce(given.reference, issue.reference),
        solution = coalesce(given.solution, issue.solution), source = coalesce(given.source, issue.source),
        sink = coalesce(given.sink, issue.sink), detail = coalesce(given.detail, issue.detail),
        original_issue_id = coalesce("originalIssueIdFromTool", original_issue_id),
        fingerprint = coalesce(given.fingerprint, issue.fingerprint),
        partial_fingerprint = coalesce("partialFingerprint", partial_fingerprint),
        project_id = coalesce(project_id, "projectId"),
        scan_digest = scan_digest || digest, updated_at = now(),
        status = case when reopens then 'IDENTIFIED' else issue.status end,
        status_reason = case when reopens then null else status_reason end,
        decided_by = case when reopens then null else decided_by end,
        decided_at = case when reopens then null else decided_at end,
        closed_at = case when reopens then null else closed_at end
      from given join held on held.id = given."issueId"
      where issue.company_id = ${anyCompany(companyId)} and issue.id = held.id
      returning ${issueColumns})`

export const changingNone: Part = sql`
    changed as (select ${issueColumns} from finding as issue where false)`

/** Writes what `target` says about deploys: that they introduced a finding, or did not remove it. */
export const introducing = (companyId: Id): Part => sql`
    introduced as (
      insert into deploy_finding (company_id, deploy_id, issue_id, is_introduced, disposition)
      select distinct on (issue_id) ${companyId}::bigint, coalesce("introducedBy", "presentAt"), issue_id,
        "introducedBy" is not null, case when "introducedBy" is null then 'TOUCHED'::disposition end
      from target where coalesce("introducedBy", "presentAt") is not null order by issue_id
      on conflict (company_id, deploy_id, issue_id) do update
        set is_introduced = deploy_finding.is_introduced or excluded.is_introduced,
            disposition = coalesce(excluded.disposition, deploy_finding.disposition))`

export const introducingNone: Part = sql`
    introduced as (select)`

/** Requests new verdicts on the deploys that introduced a known finding, if no event reports the change in `target`. */
export const asking = (companyId: Id): Part => sql`
    asked as (
      insert into outbox (company_id, kind, object_id, data)
      select distinct ${companyId}::bigint, 'gate.asked', issue_id, jsonb_build_object('assetId', "assetId"::text)
      from target where "issueId" is not null and not reopens
        and (coalesce("introducedBy", "presentAt") is not null or "standsAnew" or severity is not null))`

export const askingNothing: Part = sql`
    asked as (select)`
