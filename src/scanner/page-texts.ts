// The texts that a page shows to people: those between tags, and the values of fields.

import { Parser } from 'htmlparser2'

const MOST = 2_000
const LONGEST = 300
/** What is in these is shown to nobody as it stands. */
const UNSEEN = new Set(['script', 'style', 'template', 'noscript'])
const VALUELESS = new Set(['hidden', 'password', 'submit', 'button', 'reset', 'checkbox', 'radio', 'file', 'image'])

/** In order, with single spaces; those of fewer letters than `shortest` and those of whole stories (`longest`) are left out. */
export function textsOf(html: string, shortest = 2, longest = LONGEST): string[] {
  const texts: string[] = []
  let text = ''
  let unseen = 0
  const keep = (given: string) => {
    const plain = given.replace(/\s+/g, ' ').trim()
    if (plain.length >= shortest && plain.length <= longest && texts.length < MOST) texts.push(plain)
  }
  const end = () => {
    if (unseen === 0) keep(text)
    text = ''
  }
  const parser = new Parser({
    onopentag(tag, { type = 'text', value }) {
      end()
      if (UNSEEN.has(tag)) unseen += 1
      if (tag === 'input' && value !== undefined && !VALUELESS.has(type.toLowerCase())) keep(value)
    },
    ontext(part) {
      text += part
    },
    onclosetag(tag) {
      end()
      if (UNSEEN.has(tag)) unseen = Math.max(0, unseen - 1)
    },
  })
  parser.end(html)
  end()
  return texts
}
