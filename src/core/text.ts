// Reads texts that callers give: trimmed, of limited length, and refused by the name of the argument.

import { badUserInput } from './errors.ts'

/** The longest free text, in characters. */
export const LONGEST_TEXT = 100_000

/** Spaces, controls, and what is not shown by itself, such as U+200B. */
const UNSEEN = /^[\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u

/** A name or label: trimmed, whole, 1 to `longest` characters of which one is seen; BAD_USER_INPUT naming `argument` otherwise. */
export function readName(text: string, argument: string, longest = 500): string {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > longest) {
    throw badUserInput(`${lastStep(argument)} has 1 to ${longest} characters`, argument)
  }
  requireWhole(trimmed, argument)
  if (UNSEEN.test(trimmed)) throw badUserInput(`${lastStep(argument)} has no visible character`, argument)
  return trimmed
}

/** A free text, whole and of at most `longest` characters, kept as it is; null and undefined stay what they are. */
export function readText<T extends string | null | undefined>(text: T, argument: string, longest = LONGEST_TEXT): T {
  if (typeof text === 'string' && text.length > longest) {
    throw badUserInput(`${lastStep(argument)} has at most ${longest} characters`, argument)
  }
  if (typeof text === 'string') requireWhole(text, argument)
  return text
}

/** Half of a surrogate pair is no character, and would be stored as another text; PostgreSQL keeps no U+0000. */
function requireWhole(text: string, argument: string): void {
  if (text.includes('\0')) throw badUserInput(`${lastStep(argument)} may not contain the character U+0000`, argument)
  if (!text.isWellFormed()) throw badUserInput(`${lastStep(argument)} has half of a surrogate pair`, argument)
}

/** Characters of a branch's name, and bytes: an index holds it together with a path. */
const LONGEST_BRANCH = 500
const MOST_BRANCH_BYTES = 1000

/** The name of a branch, trimmed; null where there is none. */
export function readBranchName(text: string | null | undefined, argument: string): string | null {
  const name = readText(text?.trim() || null, argument, LONGEST_BRANCH)
  if (name !== null && Buffer.byteLength(name) > MOST_BRANCH_BYTES) {
    throw badUserInput(`${lastStep(argument)} has at most ${MOST_BRANCH_BYTES.toLocaleString('en-US')} bytes`, argument)
  }
  return name
}

/** A list of at most 100 words such as tags, each trimmed, 1 to 200 characters, kept once; null and undefined stay. */
export function readWords<T extends readonly string[] | null | undefined>(words: T, argument: string) {
  if (words === null || words === undefined) return words
  if (words.length > 100) throw badUserInput(`${lastStep(argument)} has at most 100 entries`, argument)
  return [...new Set(words.map((word) => readName(word, argument, 200)))]
}

/** What an argument is called where it stands, such as `label` of `input.label`. */
export const lastStep = (argument: string): string => argument.split('.').at(-1) ?? argument
