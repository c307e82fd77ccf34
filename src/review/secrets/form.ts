// The form of a token as its provider documents it: fixed text, character classes with lengths, and alternatives.

import { literally } from '../../core/expressions.ts'

/**
 * `ghp_<a36>`: fixed text and `<class length>`; `<a20-40>` has a range of lengths. `(live|test)` is a choice of fixed texts,
 * `(_|)` one that may be left out. `<uuid>` is one in either case, `<pad>` the padding that base 64 needs.
 */
export type Part = { text: readonly string[] } | { chars: string; least: number; most: number }

/** The characters of each class, as they stand within brackets of a regular expression. */
const classes: Readonly<Record<string, string>> = {
  a: 'A-Za-z0-9',
  l: 'a-z0-9',
  u: 'A-Z0-9',
  x: 'a-f0-9',
  X: 'A-Fa-f0-9',
  d: '0-9',
  w: 'A-Za-z0-9_',
  b: 'A-Za-z0-9_-',
  s: 'A-Za-z0-9+/',
  p: 'A-Za-z',
  q: 'A-Z2-7',
  L: 'a-z',
  U: 'A-Z',
  e: 'A-Za-z0-9_=-',
  t: 'A-Za-z0-9_.~-',
  c: '1-9A-HJ-NP-Za-km-z',
  f: 'A-Za-z0-9_=.~-',
  g: 'A-Za-z0-9+/%',
  k: 'A-Za-z0-9!@#$%^&*_.~-',
}

const UUID = '<X8>-<X4>-<X4>-<X4>-<X12>'

/** The parts of a form; throws for a class or a length that cannot be read. */
export function readForm(form: string): Part[] {
  const parts: Part[] = []
  const token = /<([A-Za-z])(\d{1,4})(?:-(\d{1,4}))?>|<pad>|\(([^()]{0,300})\)|([^<(]+)|(.)/g
  for (const [whole, name, least, most, choice, fixed] of form.replaceAll('<uuid>', UUID).matchAll(token)) {
    if (fixed !== undefined) parts.push({ text: [fixed] })
    else if (choice !== undefined) parts.push({ text: choice.split('|') })
    else if (whole === '<pad>') parts.push({ text: ['==', '=', ''] })
    else {
      const chars = classes[name ?? '']
      if (chars === undefined) throw new Error(`The form ${form} has no class ${whole}`)
      parts.push({ chars, least: Number(least), most: Number(most ?? least) })
    }
  }
  return parts
}

/** The form as the source of a regular expression, bounded so that it is no part of a longer word. */
export function sourceOf(parts: readonly Part[]): string {
  const inner = parts.map((part) =>
    'text' in part
      ? part.text.length === 1
        ? literally(part.text[0] ?? '')
        : `(?:${part.text.map(literally).join('|')})`
      : `[${part.chars}]{${part.least}${part.most === part.least ? '' : `,${part.most}`}}`,
  )
  const last = parts.findLast((part) => !('text' in part && part.text.includes('')))
  const own = last !== undefined && 'chars' in last ? `(?![${last.chars}])` : ''
  return `${inner.join('')}${own}(?![A-Za-z0-9~])`
}

/** Fixed texts of which one stands in every token: the longest run of them. */
export function keywordsOf(parts: readonly Part[]): string[] {
  let best: string[] = []
  let run: string[] = ['']
  const end = () => {
    if (Math.min(...run.map((text) => text.length)) > Math.min(...best.map((text) => text.length), best.length && 999))
      best = run
    run = ['']
  }
  for (const part of parts) {
    if ('chars' in part) end()
    else if (run.length * part.text.length <= 40) run = run.flatMap((text) => part.text.map((more) => text + more))
    else end()
  }
  end()
  return best
}
