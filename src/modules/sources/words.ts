// A verdict in the words of a commit status and of a comment.

import { foundOf, type Gate, titleOf as titleOfRule } from '../gates/service.ts'

const openings = { PASS: 'Passed', WARN: 'Passed with warnings', BLOCK: 'Blocked' } as const

type Told = Pick<Gate, 'decision' | 'sentence' | 'reasons'>

/** One line, of which hosts show the first 255 characters. */
export const titleOf = ({ decision, reasons }: Told): string => [openings[decision], ...reasons.map(foundOf)].join('; ')

/** Markdown; names that people gave stand in it as text. */
export function commentOf({ decision, sentence, reasons }: Told, url: string): string {
  const lines = reasons.map((reason) => {
    const found = plain(foundOf(reason))
    return `- ${reason.rule.name === null ? found : `**${plain(titleOfRule(reason.rule))}**: ${found}`}`
  })
  return [
    `**Merlon: ${openings[decision]}**`,
    plain(sentence),
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    `[The deploy](${url})`,
  ].join('\n\n')
}

const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>()#+|!~@$^]/g, (character) => `\\${character}`)
