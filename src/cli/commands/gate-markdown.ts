// A gate as a Markdown comment for a merge request; text from findings is shown as code, so that it cannot act as markup.

import { LONGEST, plain } from '../plain.ts'
import type { Finding, Judged } from './judged.ts'

/** The place of a finding with its line; a long path is cut at its beginning, because its end says more. */
export function placeOf({ file, line }: Pick<Finding, 'file' | 'line'>, longest = LONGEST): string {
  const place = plain(file === null ? '' : line ? `${file}:${line}` : file, Number.POSITIVE_INFINITY)
  return place.length > longest ? `…${place.slice(1 - longest).toWellFormed()}` : place
}

/** As a code span, in which Markdown, HTML, links, references and mentions have no effect; its fence is longer than any run of backticks in it. */
export function code(text: string, longest = LONGEST): string {
  const line = plain(text, longest) || '–'
  const runs = line.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1)
  return line.includes('`') ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`
}

/** As a code span in a table, where a vertical bar would end the cell even within code. */
const cell = (text: string): string => code(text.replaceAll('|', '¦'))

const signs = { PASS: '✅', WARN: '⚠️', BLOCK: '⛔' } as const
const policies = {
  BUILT_IN: 'the built-in policy',
  COMPANY: "the company's policy",
  ASSET: "the asset's policy",
} as const

export function asMarkdown({ deploy, gate, findings, total }: Judged): string {
  const branch = deploy.branchName === null ? '' : ` of ${code(deploy.branchName)}`
  const [from, to] = [deploy.previousCommit.slice(0, 10), deploy.currentCommit.slice(0, 10)]
  const lines = [
    gate.isJudged ? `## ${signs[gate.decision]} Merlon gate: ${gate.decision}` : '## ❔ Merlon gate: NOT JUDGED',
    '',
    `Deploy ${deploy.id}${branch} in ${code(deploy.asset.name)}, ${code(from)} to ${code(to)}, by ${policies[gate.policy.scope]}.`,
  ]
  for (const sentence of gate.unknown) lines.push('', `> ${code(sentence, 1000)}`)
  if (gate.reasons.length === 0) lines.push('', 'No rule is violated.')
  else lines.push('', '| Decision | Rule | Found | Allowed |', '|---|---|---:|---:|')
  for (const { decision, rule, count, limit } of gate.reasons) {
    lines.push(`| ${decision} | ${cell(rule)} | ${count} | ${limit} |`)
  }
  if (findings.length > 0) lines.push('', '### Findings', '')
  for (const finding of findings) {
    const { id, severity, decision, title, platformUrl } = finding
    const place = finding.file === null ? '' : ` at ${code(placeOf(finding))}`
    lines.push(
      `- **${severity}** ${code(title)}${place} (${decision === 'BLOCK' ? 'blocks' : 'warns'}, ${linked(id, platformUrl)})`,
    )
  }
  if (total > findings.length) lines.push('', `…and ${total - findings.length} more.`)
  return lines.join('\n')
}

/** The id of the finding, as a link if the installation has a public address. */
const linked = (id: string, url: string | null): string =>
  url !== null && /^https?:\/\/[^\s<>]+$/.test(url) ? `[finding ${id}](<${url}>)` : `finding ${id}`
