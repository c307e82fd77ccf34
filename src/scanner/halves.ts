// Forms sent with only some of their fields: marked in their keys, but reported under the whole form's operation.

export const halfMark = (number: number): string => `~${number}`

/** The key of the whole form's operation. */
export const wholeOf = (key: string): string => key.replace(/~\d$/, '')
