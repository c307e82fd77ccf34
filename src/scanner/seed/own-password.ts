// The password of the accounts that a scan registers, which cannot be derived from the source code.

import { randomInt } from 'node:crypto'

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
const RANDOM = 12

/**
 * Made once in a process, and each scan that is run for somebody has a process of its own. 16 characters, of which twelve are random
 * (70 bits), and of each kind that rules for passwords ask for one.
 */
export const ownPassword: string = `${Array.from({ length: RANDOM }, () => LETTERS[randomInt(LETTERS.length)]).join('')}Kq7!`

/** Characters of its start that nothing else begins with. */
const TELLING = 8

/** The password and its starts, which stand where a description allows no more characters. */
export const ownPasswords: readonly string[] = Array.from({ length: ownPassword.length - TELLING + 1 }, (_, less) =>
  ownPassword.slice(0, ownPassword.length - less),
)

/** The own password in a text, as long as it is there. */
export const ownPasswordIn = (text: string): string | undefined => ownPasswords.find((one) => text.includes(one))
