// Flows through functions that another piece of the same file shows.

import { expect, test } from 'vitest'
import { readPieces } from './pieces.ts'

/** The ways of what is reported of two pieces, which begin at line 10 and at line 100, as lines of the file. */
const waysOf = (language: string, pieces: readonly [string, string], isAdded = (_: number) => true) =>
  readPieces(
    language,
    pieces.map((text, at) => ({ first: at === 0 ? 10 : 100, lines: text.split('\n') })),
    isAdded,
  )?.map(({ steps }) => steps.map(({ line }) => line))

const load = `function load(name, res) {
  fs.readFile('/srv/' + name, (e, d) => res.end(d))
}`
const ask = `app.get('/f', (req, res) => {
  load(req.query.f, res)
})`

const flows: { title: string; language: string; pieces: readonly [string, string]; way: number[] }[] = [
  { title: 'a function of a later piece', language: 'JavaScript', pieces: [ask, load], way: [11, 101] },
  { title: 'a function of an earlier piece', language: 'JavaScript', pieces: [load, ask], way: [101, 11] },
  {
    title: 'what a function of another piece returns',
    language: 'JavaScript',
    pieces: ['const named = (req) => req.query.f', "  const f = named(req)\n  fs.readFile('/srv/' + f, done)"],
    way: [10, 100, 101],
  },
  {
    title: 'a method of the same object',
    language: 'TypeScript',
    pieces: [
      '  async find(req: Request) {\n    return this.load(req.query.f)\n  }',
      "  private async load(name: string) {\n    return fs.readFile('/srv/' + name)\n  }",
    ],
    way: [11, 101],
  },
  {
    title: 'a method of the same class',
    language: 'Java',
    pieces: [
      '  public void doGet(HttpServletRequest request, HttpServletResponse response) {\n    run(request.getParameter("q"));\n  }',
      '  private void run(String name) {\n    new FileInputStream("/srv/" + name);\n  }',
    ],
    way: [11, 101],
  },
  {
    title: 'a method of the same object',
    language: 'PHP',
    pieces: [
      "  public function show() {\n    $this->load($_GET['f']);\n  }",
      "  private function load($name) {\n    readfile('/srv/' . $name);\n  }",
    ],
    way: [11, 101],
  },
  {
    title: 'a method of a class that neither piece shows',
    language: 'Python',
    pieces: [
      "    def show(self):\n        return self.load(request.args['f'])\n",
      "    def load(self, name):\n        return open('/srv/' + name).read()",
    ],
    way: [11, 101],
  },
  {
    title: 'a method of the same type',
    language: 'Go',
    pieces: [
      'func (s *server) load(name string) {\n\tb, _ := os.ReadFile("/srv/" + name)\n}',
      'func (s *server) show(w http.ResponseWriter, r *http.Request) {\n\ts.load(r.FormValue("f"))\n}',
    ],
    way: [101, 11],
  },
]

test.each(flows)('A flow is followed through $title ($language)', ({ language, pieces, way }) => {
  expect(waysOf(language, pieces)).toEqual([way])
})

test('What a function of another piece checks is checked', () => {
  const based = load.replace("'/srv/' + name", "'/srv/' + path.basename(name)")

  expect(waysOf('JavaScript', [ask, based])).toEqual([])
})

test('A flow through pieces of which only one was added is reported, and one that was there before is not', () => {
  expect(waysOf('JavaScript', [ask, load], (line) => line === 11)).toEqual([[11, 101]])
  expect(waysOf('JavaScript', [ask, load], (line) => line === 101)).toEqual([[11, 101]])
  expect(waysOf('JavaScript', [ask, load], (line) => line === 12)).toEqual([])
})

test('A name of one piece is not that of another', () => {
  const other = "function load() {}\nfunction other() {\n  fs.readFile('/srv/' + name, done)\n}"

  expect(waysOf('JavaScript', ['const name = req.query.f\nload()', other])).toEqual([])
})
