// Asks for confirmation before something is deleted for good.

import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { WrongUse } from './wrong-use.ts'

/** Goes on where a person says yes; WrongUse where one says anything else, or nobody can be asked. */
export async function requireConsent(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new WrongUse(`${question} Nobody can be asked here: give --yes`)
  const line = createInterface({ input: process.stdin, output: process.stderr })
  const isLeft = once(line, 'close').then(() => '')
  const answer = await Promise.race([line.question(`${question} [y/N] `).catch(() => ''), isLeft])
  line.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new WrongUse('Nothing was deleted')
}
