// Pieces that were cut out of comments and texts of several lines: what they show is no code, what stands beside it is.

import { expect, test } from 'vitest'
import { readPieces } from './pieces.ts'

const all = () => true

/** The lines that are reported of a piece from the middle of a file, counted from its beginning. */
const linesOf = (language: string, text: string, heading = '') =>
  readPieces(language, [{ first: 41, lines: text.split('\n'), heading }], all)?.map(({ line }) => line - 40)

const go = `	func log(w http.ResponseWriter, r *http.Request) {
		log.Println(r.RequestURI)
	}`
const js = '   eval(req.query.q)'
const python = "    os.system('ls ' + request.args['q'])"

const cases: { title: string; language: string; text: string; reported: number[] }[] = [
  { title: 'its end is shown', language: 'Go', text: `${go}\n*/\npackage mux`, reported: [] },
  { title: 'its beginning is shown', language: 'Go', text: `package mux\n/*\nDo this:\n${go}`, reported: [] },
  {
    title: 'neither is shown, but a sentence',
    language: 'Go',
    text: `A handler that logs the address of what it is asked could be written as:\n\n${go}`,
    reported: [],
  },
  {
    title: 'all lines have its stars',
    language: 'PHP',
    text: " * Usage:\n *   system('ls ' . $_GET['q']);\n",
    reported: [],
  },
  {
    title: 'code follows its end',
    language: 'JavaScript',
    text: `   what it's for\n${js}\n  */\n${js}\n`,
    reported: [4],
  },
  { title: 'code stands before its beginning', language: 'TypeScript', text: `${js}\n/* not\n${js}`, reported: [1] },
  { title: 'a text ends', language: 'JavaScript', text: `${js}\n  that is it\n  \`)\n${js}`, reported: [4] },
  { title: 'a text begins', language: 'JavaScript', text: `${js}\nconst help = \`\n${js}`, reported: [1] },
  {
    title: 'a text block ends',
    language: 'Java',
    text: `Runtime.getRuntime().exec("sh " + request.getParameter("q"));\n    """;\n  int n = 1;`,
    reported: [],
  },
  {
    title: 'a docstring ends and another begins',
    language: 'Python',
    text: `${python}\n    """\n${python}\n\ndef g():\n    """It says\n${python}`,
    reported: [3],
  },
  {
    title: 'a docstring neither begins nor ends, but has a sentence',
    language: 'Python',
    text: `    This is how it is to be used in the view of an application::\n\n${python}`,
    reported: [],
  },
  {
    title: 'what was typed into a shell',
    language: 'Python',
    text: `    >>> import os\n    >>> ${python.trim()}`,
    reported: [],
  },
  {
    title: 'an expression that ends as a comment does, and patterns of paths',
    language: 'JavaScript',
    text: `${js}\nglob('**/*.ts', '**/')\na.replace(/.*/, '')\nb('src/*/x', "**/*.ts", " */ ")\n${js}`,
    reported: [1, 5],
  },
  {
    title: 'the sentences of a page',
    language: 'TSX',
    text: `<p>\n  This is what they can read of the page\n</p>\n<a onClick={() => { eval(location.hash) }}>x</a>`,
    reported: [4],
  },
  {
    title: 'a sentence within a text of which both ends are shown',
    language: 'PHP',
    text: "$m = 'Dear user,\nthis is what you have been told that it would be';\nsystem('ls ' . $_GET['q']);",
    reported: [3],
  },
  {
    title: 'code that ends before the page begins',
    language: 'PHP',
    text: "  system('ls ' . $_GET['q']);\n?>\n<p>It's done</p>\n<?php end(); ?>",
    reported: [1],
  },
]

test.each(cases)('A piece is cut out of a comment or a text: $title ($language)', ({ language, text, reported }) => {
  expect(linesOf(language, text)).toEqual(reported)
})

test('A sentence at the margin of Go that stands before a piece says that a comment goes on', () => {
  expect(linesOf('Go', go, 'A handler that logs the address could be written as:')).toEqual([])
  expect(
    linesOf('Go', `*/\n${go.replace('log(w', 'f(w')}`, 'A handler that logs the address could be written as:'),
  ).toEqual([3])
  expect(linesOf('Go', go, 'func New(next http.Handler) http.Handler {')).toEqual([2])
})

test('Code that is cut nowhere is read though an odd quote stands in it', () => {
  expect(linesOf('JavaScript', `a.split('\`')\n${js}\nb.join(x)`)).toEqual([2])
  expect(linesOf('Python', `a = '"""'\n${python.trim()}`)).toEqual([2])
})
