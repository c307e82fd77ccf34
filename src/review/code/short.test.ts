// Short expressions that are read from their text mean, and stand, as those that are read from the parser's nodes.

import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { lowerJavascript } from './languages/javascript-statements.ts'
import { knownRoot } from './node.ts'
import type { Place } from './tree.ts'

const { parse } = createRequire(import.meta.url)('@ast-grep/napi')

/** The tree with lines and columns; without glimpses every node is asked. */
function treeOf(language: string, code: string, hasGlimpses: boolean): string {
  const root = knownRoot(parse(language, code).root(), hasGlimpses ? code : '', 0)
  if (!hasGlimpses) root.glimpse()
  return JSON.stringify(lowerJavascript(root), (key, value) => {
    if (key === 'text') return undefined
    if (key === 'at') return placeOf(value)
    return typeof value === 'function' ? value() : value
  })
}

const placeOf = (at: Place) => [at.range().start.line, at.range().start.column]

test.each([
  'a.b(c, "d", 1, true, null, undefined)',
  'a(typeof b === "x", ...c)',
  'x = { ...a, b, "c": d, get: 1 }',
  'f(a in b && !(c instanceof D), void 0, delete a.b)',
  'a = b ? c : d.e[1](-2, +x, ~3)',
  'new A.B(c)(d).e',
  'new A',
  'f([a, ...b, ], {x: 1,})',
  'a = -b * c + d % e << 2 | f & g ^ h',
  'a\n  .b(c)\n  .d("x")',
  'a < b || c > (d)',
  'f(a)(b)[c]?.d',
  'a += "x\\n" + y',
  'x.y = z = w',
  'f(get, set, async, let)',
  'a == b != c || d && e',
  `f(\`a\${b}\`, /c"/, () => d, function () {}, <E />)`,
  'a?.[b]?.(c) ?? d ** e',
  'f("ä", ä, 0x1f, 1e5, 1n, .5)',
  'f(a /* b */, c) // d',
  'i++ + ++j - -k',
  'f(a,, b)',
])('%s', (code) => {
  for (const language of ['javascript', 'tsx']) expect(treeOf(language, code, true)).toBe(treeOf(language, code, false))
})
