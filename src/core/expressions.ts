// Texts as parts of regular expressions.

/** The text as an expression that only it itself fits. */
export const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
