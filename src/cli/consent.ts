// Asks for confirmation before something is deleted for good.

import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { WrongUse } from './wrong-use.ts'

/** Returns if a person says yes; throws WrongUse for any other answer, and if there is no terminal to ask at. */
export async function requireConsent(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new WrongUse(`${question} There is no terminal to ask at: give --yes`)
  const line = createInterface({ input: process.stdin, output: process.stderr })
  const isLeft = once(line, 'close').then(() => '')
  const answer = await Promise.race([line.question(`${question} [y/N] `).catch(() => ''), isLeft])
  line.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new WrongUse('Nothing was deleted')
}
