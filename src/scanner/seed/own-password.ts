// The password of the accounts that a scan registers: nobody who reads the source may sign in to them.

import { randomInt } from 'node:crypto'

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
const RANDOM = 12

/**
 * Made once in a process, and each scan that is run for somebody has a process of its own. 16 characters, of which twelve are random
 * (70 bits), and of each kind that rules for passwords ask for one.
 */
export const ownPassword: string = `${Array.from({ length: RANDOM }, () => LETTERS[randomInt(LETTERS.length)]).join('')}Kq7!`
