// Explains in words which evidence matched a report with its finding.

import type { MatchedBy } from './findings/evidence.ts'
import type { LastMatch } from './store-identity.ts'

/** A sentence that says why the last report was matched with the finding. */
export function evidenceOf(last: LastMatch): string {
  if (last.matchedBy === null) return 'No report of it is recorded with how it was known.'
  const tool = last.toolName ?? 'the tool'
  return `Reported ${placeOf(last)}. ${sentences[last.matchedBy]({ ...last, tool })}`
}

function placeOf({ path, line, branch }: LastMatch): string {
  const where = path ? `at ${path}${line === null ? '' : `:${line}`}` : 'without a file'
  return branch === '' ? where : `${where} on ${branch}`
}

const sentences = {
  TOOL_ID: ({ tool, toolId }) => `${tool} gives it the id ${toolId ?? 'that the finding has'}.`,
  FINGERPRINT: ({ fingerprint }) =>
    `It has the finding's fingerprint${fingerprint === null ? '' : `, ${fingerprint}`}.`,
  PLACE: ({ rule }) => `The finding of ${rule} was known to be at that place.`,
  SNIPPET_IN_FILE: ({ rule }) => `A finding of ${rule} with the same code was known in that file.`,
  CONTEXT: ({ rule }) => `A finding of ${rule} with the same lines around it was known.`,
  SNIPPET_ELSEWHERE: ({ rule }) =>
    `One finding of ${rule} with the same code was known in another file, and nothing else had it.`,
  NEAREST_LINE: ({ rule }) => `One finding of ${rule} was left in that file, and this was the nearest line.`,
  NEW: ({ rule }) => `No finding of ${rule} that was known fitted: it was new.`,
} as const satisfies Record<MatchedBy, (last: LastMatch & { tool: string }) => string>
