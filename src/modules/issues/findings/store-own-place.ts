// The SQL that remembers the place that an occurrence's own tool reported, while the occurrence follows a witness.

import { type RawBuilder, sql } from 'kysely'

/** The place to remember for an occurrence that starts to follow a witness; if it already does, what it remembers. */
export const keptPlace: RawBuilder<unknown> = sql`case when occurrence.is_absent then occurrence.own_place else jsonb_build_object(
  'path', occurrence.path, 'line', occurrence.line, 'first_line', occurrence.first_line, 'column_number', occurrence.column_number,
  'snippet', occurrence.snippet, 'commit_ref', occurrence.commit_ref, 'last_seen_at', occurrence.last_seen_at,
  'last_deploy_id', occurrence.last_deploy_id, 'disposition', occurrence.disposition, 'is_exact', occurrence.is_exact) end`

/** Closes an occurrence without any witness left, and restores the place that its own tool reported. */
export const closedAtOwnPlace: RawBuilder<unknown> = sql`is_open = false, is_absent = false, own_place = null,
  (path, line, first_line, column_number, snippet, commit_ref, last_seen_at, last_deploy_id, disposition, is_exact) = (
    select path, line, first_line, column_number, snippet, commit_ref, last_seen_at, last_deploy_id, disposition, is_exact
    from jsonb_populate_record(occurrence, coalesce(occurrence.own_place, '{}')))`
