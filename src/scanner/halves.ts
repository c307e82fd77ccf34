// Forms that are sent with a part of their fields: marked in their keys, and of the whole form's operation in findings.

export const halfMark = (number: number): string => `~${number}`

/** The operation that a half is of. */
export const wholeOf = (key: string): string => key.replace(/~\d$/, '')
