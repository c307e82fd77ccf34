// The diff between two commits of GitLab, assembled in git's format from what GitLab returns for each file.

import type { z } from 'zod'
import { VendorFailed } from '../errors.ts'
import { at } from '../paths.ts'
import type { SourceHost } from '../source-host.ts'
import { NAME } from './repositories.ts'
import { comparison, type fileChange } from './schemas.ts'

type FileChange = z.output<typeof fileChange>

/** The largest comparison in bytes; GitLab itself stops long before. */
const LARGEST = 128 * 1024 * 1024
/** Milliseconds for a comparison to arrive. */
const TIMEOUT = 300_000

/** `straight`: between the two commits, not from their merge base. */
export const openDiff: SourceHost['openDiff'] = async ({ client }, { projectId, from, to }) => {
  const { diffs, compare_timeout } = await client.get(at`/projects/${projectId}/repository/compare`, comparison, {
    query: { from, to, straight: true },
    largest: LARGEST,
    timeout: TIMEOUT,
  })
  if (compare_timeout) throw new VendorFailed(NAME, 'SERVER_ERROR', { detail: 'its comparison took too long' })
  const leftOut = diffs.filter(isLeftOut).map(({ new_path }) => new_path)
  async function* chunks() {
    for (const file of diffs) yield Buffer.from(textOf(file))
  }
  return { chunks: chunks(), leftOut: () => leftOut }
}

const isLeftOut = ({ diff, too_large, collapsed }: FileChange) => !diff && (too_large === true || collapsed === true)

/** One file in git's format. A change whose content GitLab omits is written as one of a binary file: it may have touched anything. */
function textOf(file: FileChange): string {
  const { old_path, new_path, a_mode, b_mode, new_file, deleted_file, renamed_file } = file
  const [before, after] = [quoted(`a/${old_path}`), quoted(`b/${new_path}`)]
  const lines = [`diff --git ${before} ${after}`]
  if (new_file) lines.push(`new file mode ${b_mode || '100644'}`)
  else if (deleted_file) lines.push(`deleted file mode ${a_mode || '100644'}`)
  else if (a_mode && b_mode && a_mode !== b_mode) lines.push(`old mode ${a_mode}`, `new mode ${b_mode}`)
  if (renamed_file) lines.push(`rename from ${quoted(old_path)}`, `rename to ${quoted(new_path)}`)
  const hunks = hunksOf(file.diff ?? '')
  if (hunks !== '') {
    lines.push(`--- ${new_file ? '/dev/null' : ended(before)}`, `+++ ${deleted_file ? '/dev/null' : ended(after)}`)
    return `${lines.join('\n')}\n${hunks}`
  }
  const isMoveAlone = renamed_file || (a_mode && b_mode && a_mode !== b_mode)
  const isEmptyFile = !file.diff && (new_file || deleted_file)
  if (isLeftOut(file) || !(isMoveAlone || isEmptyFile)) {
    // the index line, whose blob ids are unknown, is written before every change without a hunk
    lines.push('index 0000000..1111111')
    lines.push(`Binary files ${new_file ? '/dev/null' : before} and ${deleted_file ? '/dev/null' : after} differ`)
  }
  return `${lines.join('\n')}\n`
}

/** From the first hunk on, with a line end at its end. */
function hunksOf(diff: string): string {
  const start = diff.startsWith('@@ ') ? 0 : diff.indexOf('\n@@ ') + 1
  if (start === 0 && !diff.startsWith('@@ ')) return ''
  const hunks = diff.slice(start)
  return hunks.endsWith('\n') ? hunks : `${hunks}\n`
}

/** git ends a name that contains a blank with a tab, to separate it from what may follow. */
const ended = (name: string) => (name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name)

const escapes: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\' }

/** Quotes a name as git does, if it has characters that would end it. */
function quoted(name: string): string {
  if (!/["\\\p{Cc}]/u.test(name)) return name
  const text = name.replace(/["\\\p{Cc}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return escapes[character] ?? `\\${code.toString(8).padStart(3, '0')}`
  })
  return `"${text}"`
}
