// Escapes texts for use in regular expressions.

/** The text as an expression that only it itself fits. */
export const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
