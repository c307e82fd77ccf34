// Converts HTML, which scanners write into their reports, to plain text.

import { Parser } from 'htmlparser2'
import { text } from './values.ts'

const blocks = new Set(['p', 'br', 'div', 'li', 'ul', 'ol', 'tr', 'table', 'h1', 'h2', 'h3', 'h4', 'pre'])

/** Removes tags, puts each block on a line of its own, and decodes entities. Input without tags is returned as it is. */
export function htmlText(value: unknown): string | undefined {
  const html = text(value)
  if (html === undefined || !/[<&]/.test(html)) return html
  const parts: string[] = []
  const endLine = (name: string) => {
    if (blocks.has(name)) parts.push('\n')
  }
  const parser = new Parser({ ontext: (part) => parts.push(part), onopentagname: endLine, onclosetag: endLine })
  parser.end(html)
  return text(
    parts
      .join('')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n'),
  )
}

/** The http and https addresses in a text or in HTML. */
export const addressesIn = (value: unknown): string[] =>
  [...(text(value) ?? '').matchAll(/https?:\/\/[^\s<>"']{1,2000}/g)].map(([address]) =>
    address.replace(/[.,;)]{1,9}$/, ''),
  )
