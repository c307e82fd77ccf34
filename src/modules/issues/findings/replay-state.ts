// Where the issues of a replay are, by bucket and by finding.

import type { Evidence } from './evidence.ts'
import type { bucketsBy, Listed, PlaceRow } from './place-rows.ts'

/** The place of a replayed issue on a branch; `seen`: the listed report that last had it. */
export type Standing = {
  issue: number
  row: PlaceRow
  evidence: Evidence
  path: string | null
  line: number | null
  isOpen: boolean
  seen: Listed | null
  words: string | null
}

/** The standings of a replay, by bucket and by finding. */
export function openState(bucketOf: ReturnType<typeof bucketsBy>) {
  const buckets = new Map<string, Map<string, Standing>>()
  const ofFindings = new Map<string, Set<Standing>>()
  const ofIssues = new Map<number, Map<string, Standing>>()

  function put(standing: Standing): void {
    const own = ofIssues.get(standing.issue) ?? new Map<string, Standing>()
    const before = own.get(standing.row.branch)
    if (before) {
      ofFindings.get(before.row.findingId)?.delete(before)
      buckets.get(bucketOf(before.row, before.evidence))?.delete(keyOf(before))
    }
    ofIssues.set(standing.issue, own.set(standing.row.branch, standing))
    const bucket = bucketOf(standing.row, standing.evidence)
    buckets.set(bucket, (buckets.get(bucket) ?? new Map<string, Standing>()).set(keyOf(standing), standing))
    const { findingId } = standing.row
    ofFindings.set(findingId, (ofFindings.get(findingId) ?? new Set<Standing>()).add(standing))
  }

  return {
    bucketOf,
    inBucket: (bucket: string): Standing[] => [...(buckets.get(bucket)?.values() ?? [])],
    ofFinding: (findingId: string): ReadonlySet<Standing> | undefined => ofFindings.get(findingId),
    /** Sets where the issue is on the branch. What its tool calls it holds on all branches. */
    stand(standing: Standing): void {
      put(standing)
      const { title, toolId, fingerprint, partialFingerprint } = standing.evidence
      for (const other of [...(ofIssues.get(standing.issue)?.values() ?? [])]) {
        const { evidence } = other
        const isSame = evidence.title === title && evidence.toolId === toolId && evidence.fingerprint === fingerprint
        if (other === standing || (isSame && evidence.partialFingerprint === partialFingerprint)) continue
        const renamed = { ...evidence, title, toolId, fingerprint, partialFingerprint } as Evidence
        put({ ...other, evidence: renamed, words: null })
      }
    },
  }
}

const keyOf = ({ issue, row }: Standing): string => `${issue} ${row.branch}`
