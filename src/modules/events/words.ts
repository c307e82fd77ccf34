// Renders events as sentences, and sentences as messages for mail, Slack or Teams.

import type { Config } from '../../core/config.ts'
import { linkTo, pages } from '../../core/console-links.ts'
import { controls } from '../../core/controls.ts'
import type { Id } from '../../core/ids.ts'
import type { Topic } from './store-channels.ts'
import type { Notice, Speaker } from './store-notices.ts'

/** Findings and other objects that a message names; the rest is only counted. */
const MOST_NAMED = 20

const titles: Record<Topic, string> = {
  SLA_BROKEN: 'Findings past their due date',
  SLA_NEAR: 'Findings that are due soon',
  KNOWN_EXPLOITED: 'Open findings whose vulnerability is now known to be exploited',
  GATE_BLOCKED: 'Deploys that were blocked',
  INTEGRATION_BROKEN: 'Integrations whose credential was rejected',
}

type Section = { topic: Topic; count: number; notices: readonly Notice[] }

/** A message: its subject, and its lines by section; a line may have a link. */
export type Words = {
  subject: string
  sections: { title: string; lines: { text: string; url: string | null }[]; more: number }[]
}

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** An event as a line, with its path in the console. */
function lineOf(companyId: Id, { message: { data }, topic }: Notice): { text: string; path: string } {
  const id = text(data.id)
  if (topic === 'INTEGRATION_BROKEN')
    return { text: `${text(data.integrationType)} integration ${id}`, path: pages.integrations({ companyId }) }
  if (topic === 'GATE_BLOCKED') {
    const branch = text(data.branchName)
    const where = `Deploy ${id}${branch ? ` on branch ${branch}` : ''}`
    return { text: `${where}: ${text(data.sentence)}`, path: pages.deploy({ companyId, deployId: id }) }
  }
  const due = text(data.slaDueAt).slice(0, 10)
  const vulnerabilities = Array.isArray(data.vulnerabilityIds) ? data.vulnerabilityIds.map(text).join(', ') : ''
  const more = due ? ` (due ${due})` : vulnerabilities ? ` (${vulnerabilities.slice(0, 200)})` : ''
  return {
    text: `${text(data.severity)}: ${text(data.title)} in ${text(data.assetName)}${more}`,
    path: pages.finding({ companyId, issueId: id }),
  }
}

/** Links lead to the console; null if the operator has not configured its address. */
export function wordsOf(
  { companyId, companyName }: Pick<Speaker, 'companyId' | 'companyName'>,
  isDigest: boolean,
  sections: readonly Section[],
  config: Pick<Config, 'publicUrl'>,
): Words {
  const total = sections.reduce((sum, { count }) => sum + count, 0)
  const [first] = sections
  const what = sections.length === 1 && first ? titles[first.topic] : 'What needs attention'
  return {
    subject: `${companyName}: ${isDigest ? 'daily digest' : what} (${total})`,
    sections: sections.map(({ topic, count, notices }) => ({
      title: `${titles[topic]} (${count})`,
      lines: notices.slice(0, MOST_NAMED).map((notice) => {
        const { text: line, path } = lineOf(companyId, notice)
        return { text: oneLine(line), url: linkTo(config, path) }
      }),
      more: count - Math.min(count, notices.length, MOST_NAMED),
    })),
  }
}

const CONTROLS = new RegExp(`[${controls}]+`, 'g')

const oneLine = (line: string): string => line.replace(CONTROLS, ' ').slice(0, 500).toWellFormed()

const moreOf = (more: number): string[] => (more > 0 ? [`and ${more} more`] : [])

export function asMail({ sections }: Words): string {
  const parts = sections.map(({ title, lines, more }) =>
    [title, ...lines.map(({ text: line, url }) => `- ${line}${url ? `\n  ${url}` : ''}`), ...moreOf(more)].join('\n'),
  )
  return `${parts.join('\n\n')}\n`
}

/** Slack's escaping of &, < and >, so that a finding's text can neither mention people nor make a link. */
const slackText = (line: string): string =>
  line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export function asSlack({ subject, sections }: Words): object {
  const parts = sections.map(({ title, lines, more }) =>
    [
      slackText(title),
      ...lines.map(({ text: line, url }) => `• ${slackText(line)}${url ? ` <${url}|open>` : ''}`),
      ...moreOf(more),
    ].join('\n'),
  )
  return { text: [slackText(subject), ...parts].join('\n\n'), unfurl_links: false }
}

/** Removes Markdown from a finding's text, because an adaptive card would render its links. */
const cardText = (line: string): string => line.replace(/[[\]*_`#<>\\]/g, '\\$&')

export function asTeams({ subject, sections }: Words): object {
  const body = sections.flatMap(({ title, lines, more }) => [
    { type: 'TextBlock', text: cardText(title), weight: 'Bolder', wrap: true },
    ...lines.map(({ text: line, url }) => ({
      type: 'TextBlock',
      text: `${cardText(line)}${url ? ` [open](${url})` : ''}`,
      wrap: true,
    })),
    ...moreOf(more).map((line) => ({ type: 'TextBlock', text: line, wrap: true })),
  ])
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [{ type: 'TextBlock', text: cardText(subject), weight: 'Bolder', size: 'Medium', wrap: true }, ...body],
  }
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] }
}
