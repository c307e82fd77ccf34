// Whether a position in a script is code, or inside a string or a comment.

/** Reads the script up to the place: strings, templates and comments are told from code. */
export function isCodeAt(script: string, place: number): boolean {
  let quote = ''
  let comment = ''
  const templates: number[] = []
  for (let at = 0; at < place; at += 1) {
    const one = script[at] ?? ''
    const two = script.slice(at, at + 2)
    if (comment !== '') {
      if (comment === '//' && one === '\n') comment = ''
      else if (comment === '/*' && two === '*/') {
        comment = ''
        at += 1
      }
    } else if (quote !== '') {
      if (one === '\\') at += 1
      else if (one === quote) quote = ''
      else if (quote === '`' && two === '${') {
        templates.push(1)
        quote = ''
        at += 1
      } else if (one === '\n' && quote !== '`') return false
    } else if (two === '//' || two === '/*') {
      comment = two
      at += 1
    } else if (one === '"' || one === "'" || one === '`') quote = one
    else if (templates.length > 0 && one === '{') templates[templates.length - 1] = (templates.at(-1) ?? 0) + 1
    else if (templates.length > 0 && one === '}') {
      const left = (templates.at(-1) ?? 1) - 1
      if (left === 0) {
        templates.pop()
        quote = '`'
      } else templates[templates.length - 1] = left
    }
  }
  return quote === '' && comment === ''
}
