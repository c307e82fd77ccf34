// A verdict as the text of a commit status and of a comment.

import { foundOf, type Gate, titleOf as titleOfRule } from '../gates/service.ts'

const openings = { PASS: 'Passed', WARN: 'Passed with warnings', BLOCK: 'Blocked' } as const

type Told = Pick<Gate, 'decision' | 'isJudged' | 'unknown' | 'sentence' | 'reasons'>

export const isPassed = ({ decision, isJudged }: Told): boolean => decision !== 'BLOCK' && isJudged

const openingOf = ({ decision, isJudged }: Told): string => (isJudged ? openings[decision] : 'Not judged')

/** One line; hosts show its first 255 characters. */
export const titleOf = (gate: Told): string =>
  [openingOf(gate), ...gate.unknown.map(({ short }) => short), ...gate.reasons.map(foundOf)].join('; ')

/** Markdown, in which names given by people are escaped. */
export function commentOf(gate: Told, url: string): string {
  const lines = gate.reasons.map((reason) => {
    const found = plain(foundOf(reason))
    return `- ${reason.rule.name === null ? found : `**${plain(titleOfRule(reason.rule))}**: ${found}`}`
  })
  return [
    `**Merlon: ${openingOf(gate)}**`,
    plain(gate.sentence),
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    `[The deploy](${url})`,
  ].join('\n\n')
}

const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>()#+|!~@$^]/g, (character) => `\\${character}`)
