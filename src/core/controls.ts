// Invisible characters that can make a text read as something else: they move a cursor, end a line, or turn the direction of writing.

/** For a class of a regular expression: C0, C1, marks of direction, and the two that end a line or a paragraph. */
export const controls = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069'
