// Recognises the headers that separate several commits in one input.

/** The command that wrote the input: `git log` or `git show`, `git format-patch`, `hg export`, `hg log`. */
export type LogForm = 'LOG' | 'MAIL' | 'HG_EXPORT' | 'HG_LOG'

/** A commit header; `starts`: whether a commit begins here, or the line only names the one that has begun. */
type CommitHeader = { form: LogForm; id: string | null; starts: boolean }

const patterns: { form: LogForm; pattern: RegExp; starts: boolean }[] = [
  { form: 'LOG', pattern: /^commit ([0-9a-f]{40}|[0-9a-f]{64})( |$)/, starts: true },
  { form: 'MAIL', pattern: /^From ([0-9a-f]{40}|[0-9a-f]{64}) /, starts: true },
  { form: 'HG_EXPORT', pattern: /^# HG changeset patch()$/, starts: true },
  { form: 'HG_EXPORT', pattern: /^# Node ID +([0-9a-f]{40})$/, starts: false },
  { form: 'HG_LOG', pattern: /^changeset: +\d+:([0-9a-f]{12,40})$/, starts: true },
]

/** The commit header on a line outside files, or null. Headers of another form are ignored: a commit message may quote them. */
export function commitHeader(line: string, within: LogForm | null): CommitHeader | null {
  for (const { form, pattern, starts } of patterns) {
    if (within !== null && within !== form) continue
    const found = pattern.exec(line)
    if (found) return { form, id: found[1] || null, starts }
  }
  return null
}

/** The default order in which the tool behind a form lists commits; none means oldest first. */
export function listingOrder(form: LogForm | null): 'OLDEST_FIRST' | 'NEWEST_FIRST' {
  return form === 'LOG' || form === 'HG_LOG' ? 'NEWEST_FIRST' : 'OLDEST_FIRST'
}
