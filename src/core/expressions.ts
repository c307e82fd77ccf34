// Escapes texts for use in regular expressions.

/** A regular expression that matches exactly this text. */
export const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
