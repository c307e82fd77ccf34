// The text of a piece of HTML, as scanners write it into their reports.

import { Parser } from 'htmlparser2'
import { text } from './values.ts'

const blocks = new Set(['p', 'br', 'div', 'li', 'ul', 'ol', 'tr', 'table', 'h1', 'h2', 'h3', 'h4', 'pre'])

/** Tags are left out, with a line for each block; entities are decoded. What has no tag is text already. */
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
