// What SARIF and CSV carry of a finding beside their own fields, so that importing the file restores it completely.

import { EXPORT_FORMAT } from '../core/own-exports.ts'
import type { ExportedFinding } from './types.ts'

/** Everything except what both formats write in fields of the same names, from which it is read again. */
export function restOf(finding: ExportedFinding) {
  const {
    id: _id,
    asset: _asset,
    type: _type,
    title: _title,
    description: _description,
    severity: _severity,
    status: _status,
    statusReason: _statusReason,
    riskAcceptedUntil: _riskAcceptedUntil,
    toolName: _toolName,
    cvssScore: _cvssScore,
    cvssVector: _cvssVector,
    solution: _solution,
    reference: _reference,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    ...rest
  } = finding
  return { format: EXPORT_FORMAT, ...rest }
}
