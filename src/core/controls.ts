// Invisible characters that can make a text look like something else: they move a cursor, end a line, or change the direction of writing.

/** For a character class of a regular expression: C0, C1, direction marks, and the line and paragraph separators. */
export const controls = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069'
