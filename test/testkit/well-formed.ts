// A small strict XML reader, just enough to check that our documents are well formed.

const NAME = '[A-Za-z_][\\w.:-]*'
const REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)/
const ILLEGAL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const TAG = new RegExp(`^<(/?)(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`)

/** Throws unless the text is one well-formed element, without declarations, comments, CDATA sections or entities of its own. */
export function requireWellFormed(xml: string): void {
  if (ILLEGAL.test(xml)) throw new Error('It has a character that XML does not allow')
  const open: string[] = []
  let roots = 0
  let rest = xml
  while (rest !== '') {
    const text = /^[^<]*/.exec(rest)?.[0] ?? ''
    if (open.length === 0 && text.trim() !== '') throw new Error('It has text outside of the root')
    if (REFERENCE.test(text) || text.includes(']]>')) throw new Error(`Not character data: ${text.slice(0, 80)}`)
    rest = rest.slice(text.length)
    if (rest === '') break
    const tag = TAG.exec(rest)
    if (!tag) throw new Error(`Not a tag: ${rest.slice(0, 80)}`)
    const [whole, isEnd, name = '', attributes = '', isEmpty] = tag
    requireAttributes(attributes)
    if (isEnd) {
      if (attributes !== '' || isEmpty || open.pop() !== name) throw new Error(`It ends ${name}, which is not open`)
    } else {
      if (open.length === 0) roots += 1
      if (!isEmpty) open.push(name)
    }
    rest = rest.slice(whole.length)
  }
  if (open.length > 0 || roots !== 1) throw new Error('It is not one closed element')
}

function requireAttributes(attributes: string): void {
  if (REFERENCE.test(attributes)) throw new Error(`Not an attribute: ${attributes.slice(0, 80)}`)
  const names = [...attributes.matchAll(new RegExp(`(${NAME})\\s*=`, 'g'))].map(([, name]) => name)
  if (new Set(names).size < names.length) throw new Error('An attribute stands twice')
}
