// A verdict in the words of a commit status and of a comment.

import type { Deploy } from '../deploys/service.ts'
import { foundOf, type Gate, titleOf as titleOfRule } from '../gates/service.ts'

const openings = { PASS: 'Passed', WARN: 'Passed with warnings', BLOCK: 'Blocked' } as const

type Told = Pick<Gate, 'decision' | 'sentence' | 'reasons'>

type Read = Pick<Deploy, 'diffState' | 'diffReason'>

const unread = { NOT_A_DIFF: 'the diff cannot be read', TRUNCATED: 'the diff was read only in part' } as const

/** Nothing passes of which nothing is known; what blocks is known. */
const isJudged = ({ decision }: Told, { diffState }: Read): boolean =>
  decision === 'BLOCK' || diffState !== 'NOT_A_DIFF'

export const isPassed = (gate: Told, read: Read): boolean => gate.decision !== 'BLOCK' && isJudged(gate, read)

const openingOf = (gate: Told, read: Read): string => (isJudged(gate, read) ? openings[gate.decision] : 'Not judged')

/** One line, of which hosts show the first 255 characters. */
export function titleOf(gate: Told, read: Read): string {
  const caveat = read.diffState === 'PARSED' ? [] : [unread[read.diffState]]
  return [openingOf(gate, read), ...caveat, ...gate.reasons.map(foundOf)].join('; ')
}

/** Markdown; names that people gave stand in it as text. */
export function commentOf(gate: Told, read: Read, url: string): string {
  const { sentence, reasons } = gate
  const { diffState, diffReason } = read
  const caveat = diffState === 'PARSED' ? [] : [plain(`For this deploy ${unread[diffState]}: ${diffReason ?? ''}`)]
  const lines = reasons.map((reason) => {
    const found = plain(foundOf(reason))
    return `- ${reason.rule.name === null ? found : `**${plain(titleOfRule(reason.rule))}**: ${found}`}`
  })
  return [
    `**Merlon: ${openingOf(gate, read)}**`,
    ...caveat,
    ...(isJudged(gate, read) ? [plain(sentence)] : []),
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    `[The deploy](${url})`,
  ].join('\n\n')
}

const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>()#+|!~@$^]/g, (character) => `\\${character}`)
