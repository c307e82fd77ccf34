// Explains in words which evidence matched a report with its finding.

import type { MatchedBy } from './findings/evidence.ts'
import type { LastMatch } from './store-identity.ts'

/** A sentence that says why the last report was matched with the finding. */
export function evidenceOf(last: LastMatch): string {
  if (last.matchedBy === null) return 'How its last report was matched is not recorded.'
  const tool = last.toolName ?? 'the tool'
  return `Reported ${placeOf(last)}. ${sentences[last.matchedBy]({ ...last, tool })}`
}

function placeOf({ path, line, branch }: LastMatch): string {
  const where = path ? `at ${path}${line === null ? '' : `:${line}`}` : 'without a file'
  return branch === '' ? where : `${where} on ${branch}`
}

const sentences = {
  TOOL_ID: ({ tool, toolId }) => `${tool} reports it under the same id${toolId === null ? '' : `, ${toolId}`}.`,
  FINGERPRINT: ({ fingerprint }) => `It has the same fingerprint${fingerprint === null ? '' : `, ${fingerprint}`}.`,
  PLACE: ({ rule }) => `A finding of ${rule} was already known at that place.`,
  SNIPPET_IN_FILE: ({ rule }) => `A finding of ${rule} with the same code was already known in that file.`,
  CONTEXT: ({ rule }) => `A finding of ${rule} with the same surrounding lines was already known.`,
  STYLE_IN_FILE: ({ rule }) =>
    `A finding of ${rule} with the same code, but for its style, was already known in that file.`,
  SNIPPET_ELSEWHERE: ({ rule }) => `Exactly one known finding of ${rule} has the same code, in another file.`,
  NEAREST_LINE: ({ rule }) =>
    `A known finding of ${rule} in that file had no other match, and this is the nearest line.`,
  NEW: ({ rule }) => `No known finding of ${rule} matched, so it is new.`,
} as const satisfies Record<MatchedBy, (last: LastMatch & { tool: string }) => string>
