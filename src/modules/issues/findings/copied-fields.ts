// Formats the fields that a scan writes of a finding for COPY.

import { type CopyRow, listText } from '../../../core/db/copy.ts'
import type { FindingWrite } from './store-write.ts'

/** The columns of `fieldValues`, in its order. */
export const FIELD_COLUMNS = `title, description, severity, impact_level, probability_level, cvss_score, cvss_vector, category, cwe_ids,
  patterns, reference, solution, source, sink, detail, original_issue_id, fingerprint, partial_fingerprint, scan_digest`

export const fieldValues = ({ fields, digest }: Pick<FindingWrite, 'fields' | 'digest'>): CopyRow => [
  fields.title ?? null,
  fields.description ?? '',
  fields.severity ?? null,
  fields.impactLevel ?? null,
  fields.probabilityLevel ?? null,
  fields.cvssScore ?? null,
  fields.cvssVector ?? null,
  fields.category ?? null,
  listText(fields.cweIds ?? []),
  listText(fields.patterns ?? []),
  fields.reference ?? null,
  fields.solution ?? null,
  fields.source ?? null,
  fields.sink ?? null,
  JSON.stringify(fields.detail ?? {}),
  fields.originalIssueIdFromTool ?? null,
  fields.fingerprint ?? null,
  fields.partialFingerprint ?? null,
  JSON.stringify(digest),
]
