// What the writers of exports and the readers that take them in again agree on.

/** The version of the form in which Merlon writes its findings. */
export const EXPORT_FORMAT = 1

/**
 * What a spreadsheet takes for the beginning of a formula: the characters of OWASP's list, also as wide as a Chinese one. Apostrophes before
 * them count too, so that whoever takes one apostrophe away from such a text has the original.
 */
const FORMULA = "(?='*[=+\\-@\\t\\r\\n＝＋－＠])"
const BARE = new RegExp(`^${FORMULA}`)
const GUARDED = new RegExp(`^'${FORMULA}`)

/** With an apostrophe before it if a spreadsheet would run it. */
export const withFormulaGuard = (text: string): string => text.replace(BARE, "'")

/** The text that withFormulaGuard was given. */
export const withoutFormulaGuard = (text: string): string => text.replace(GUARDED, '')
