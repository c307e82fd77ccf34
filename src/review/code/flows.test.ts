// How outside data is followed: pairs of code that differ by one thing, of which one harms and the other does not.

import { expect, test } from 'vitest'
import { readPieces } from './pieces.ts'

type Pair = { title: string; language: string; harms: string; safe: string }

const pairs: Pair[] = [
  {
    title: 'a getter gives what its own setter was given',
    language: 'Java',
    harms: `void f(HttpServletRequest request) throws Exception {
  User user = new User();
  user.setName(request.getParameter("name"));
  user.setShell("/bin/sh");
  Runtime.getRuntime().exec(user.getName());
}`,
    safe: `void f(HttpServletRequest request) throws Exception {
  User user = new User();
  user.setName(request.getParameter("name"));
  user.setShell("/bin/sh");
  Runtime.getRuntime().exec(user.getShell());
}`,
  },
  {
    title: 'a getter gives what its own field was given',
    language: 'Java',
    harms: `void f(HttpServletRequest request) throws Exception {
  User user = new User();
  user.name = request.getParameter("name");
  user.setShell("/bin/sh");
  Runtime.getRuntime().exec(user.getName());
}`,
    safe: `void f(HttpServletRequest request) throws Exception {
  User user = new User();
  user.name = request.getParameter("name");
  user.setShell("/bin/sh");
  Runtime.getRuntime().exec(user.getShell());
}`,
  },
  {
    title: 'what a file beside gives is held against what it is given by its name',
    language: 'JavaScript',
    harms: `import { exec } from './shell.js'
exec(req.query.line)`,
    safe: `import { exec } from './shell.js'
exec('date')`,
  },
  {
    title: 'an object that is handed on as a whole has all that its setters were given',
    language: 'Java',
    harms: `void f(HttpServletRequest request) throws Exception {
  Command command = new Command();
  command.setLine(request.getParameter("line"));
  Runtime.getRuntime().exec(command.toString());
}`,
    safe: `void f(HttpServletRequest request) throws Exception {
  Command command = new Command();
  command.setLine("date");
  Runtime.getRuntime().exec(command.toString());
}`,
  },
  {
    title: 'a collection is known by its keys',
    language: 'Python',
    harms: `m = {}
m['a'] = 'x'
m['b'] = request.args['q']
os.system('echo ' + m['b'])`,
    safe: `m = {}
m['a'] = 'x'
m['b'] = request.args['q']
os.system('echo ' + m['a'])`,
  },
  ...['for x in found:', 'while waiting():'].map((loop) => ({
    title: `what follows a loop that was not broken off is read (${loop})`,
    language: 'Python',
    harms: `${loop}
    pass
else:
    os.system('echo ' + request.args['q'])`,
    safe: `${loop}
    pass
else:
    os.system('echo')`,
  })),
  {
    title: 'what a class holds at first is not what was put there since',
    language: 'Java',
    harms: `class Kept { static String COMMAND = "ls"; }
class A { void f(HttpServletRequest request) throws Exception {
  Kept.COMMAND = request.getParameter("q");
  Runtime.getRuntime().exec("echo " + Kept.COMMAND);
} }`,
    safe: `class Kept { static String COMMAND = "ls"; }
class A { void f(HttpServletRequest request) throws Exception {
  Kept.OTHER = request.getParameter("q");
  Runtime.getRuntime().exec("echo " + Kept.COMMAND);
} }`,
  },
  {
    title: 'a list of what a function gives has all of that',
    language: 'Java',
    harms: `void f(HttpServletRequest request) throws Exception {
  Runtime.getRuntime().exec(Arrays.asList(request.getParameter("q").split(",")).get(1));
}`,
    safe: `void f(HttpServletRequest request) throws Exception {
  Runtime.getRuntime().exec(Arrays.asList(request.getParameter("q").split(","), "ls").get(1));
}`,
  },
  {
    title: 'a list of one array has its items',
    language: 'Java',
    harms: `void f(HttpServletRequest request) throws Exception {
  String[] words = request.getParameter("q").split(",");
  List<String> all = Arrays.asList(words);
  Runtime.getRuntime().exec(all.get(1));
}`,
    safe: `void f(HttpServletRequest request) throws Exception {
  List<String> all = Arrays.asList(request.getParameter("q"), "ls");
  Runtime.getRuntime().exec(all.get(1));
}`,
  },
  {
    title: 'a list is known by its order after one is taken out',
    language: 'Java',
    harms: `void f(HttpServletRequest request) throws Exception {
  List<String> l = new ArrayList<String>();
  l.add("x"); l.add(request.getParameter("q")); l.add("y");
  l.remove(0);
  Runtime.getRuntime().exec("echo " + l.get(0));
}`,
    safe: `void f(HttpServletRequest request) throws Exception {
  List<String> l = new ArrayList<String>();
  l.add("x"); l.add(request.getParameter("q")); l.add("y");
  l.remove(0);
  Runtime.getRuntime().exec("echo " + l.get(1));
}`,
  },
  {
    title: 'a condition on constants goes one way',
    language: 'JavaScript',
    harms: `const n = 5
let v = 'x'
if (n * 10 > 40) v = req.query.q
eval(v)`,
    safe: `const n = 5
let v = 'x'
if (n * 10 > 60) v = req.query.q
eval(v)`,
  },
  {
    title: 'a choice on constants gives one value',
    language: 'PHP',
    harms: `<?php
$v = (3 > 2) ? $_GET['q'] : 'x';
system($v);`,
    safe: `<?php
$v = (3 < 2) ? $_GET['q'] : 'x';
system($v);`,
  },
  {
    title: 'a switch on a constant takes one case',
    language: 'Go',
    harms: `func f(w http.ResponseWriter, r *http.Request) {
  mode := "b"
  v := "x"
  switch mode {
  case "a":
    v = "y"
  case "b":
    v = r.FormValue("q")
  }
  exec.Command("sh", "-c", v)
}`,
    safe: `func f(w http.ResponseWriter, r *http.Request) {
  mode := "a"
  v := "x"
  switch mode {
  case "a":
    v = "y"
  case "b":
    v = r.FormValue("q")
  }
  exec.Command("sh", "-c", v)
}`,
  },
  {
    title: 'a function of the same file is followed to what it returns',
    language: 'JavaScript',
    harms: `function pick(given) { const kept = given + '!'; return kept }
app.get('/', (req, res) => { eval(pick(req.query.q)) })`,
    safe: `function pick(given) { const kept = given + '!'; return 'constant' }
app.get('/', (req, res) => { eval(pick(req.query.q)) })`,
  },
  {
    title: 'an object of a class of the same file keeps what its constructor was given',
    language: 'Python',
    harms: `class Holder:
    def __init__(self, value):
        self.value = value
        self.other = 'x'
    def get(self):
        return self.value
def view(request):
    os.system(Holder(request.GET['q']).get())`,
    safe: `class Holder:
    def __init__(self, value):
        self.value = value
        self.other = 'x'
    def get(self):
        return self.other
def view(request):
    os.system(Holder(request.GET['q']).get())`,
  },
  {
    title: 'a constant assigned later ends the flow',
    language: 'Java',
    harms: `void f(HttpServletRequest request) throws Exception {
  String v = "x";
  v = request.getParameter("q");
  statement.executeQuery("select " + v);
}`,
    safe: `void f(HttpServletRequest request) throws Exception {
  String v = request.getParameter("q");
  v = "x";
  statement.executeQuery("select " + v);
}`,
  },
  {
    title: 'a list of what is allowed holds where it was asked',
    language: 'Python',
    harms: `def view(request):
    column = request.GET['c']
    if column not in ('a', 'b'):
        log('odd')
    cursor.execute('select * from t order by ' + column)`,
    safe: `def view(request):
    column = request.GET['c']
    if column not in ('a', 'b'):
        return None
    cursor.execute('select * from t order by ' + column)`,
  },
  {
    title: 'a check on one side of an alternative says nothing where the other may hold',
    language: 'JavaScript',
    harms: `app.get('/', (req, res) => {
  const n = path.normalize(req.query.n)
  if (n === 'foo' || isOpen()) fs.readFile('/srv/' + n, done)
})`,
    safe: `app.get('/', (req, res) => {
  const n = path.normalize(req.query.n)
  if (n.startsWith('a.') || n.startsWith('b.')) fs.readFile('/srv/' + n, done)
})`,
  },
  {
    title: 'a check of one parameter says nothing of another',
    language: 'JavaScript',
    harms: `if (!allowed.includes(req.query.a)) return
eval(req.query.b)`,
    safe: `if (!allowed.includes(req.query.a)) return
eval(req.query.a)`,
  },
  {
    title: 'a number carries nothing',
    language: 'PHP',
    harms: `<?php
$id = $_GET['id'];
mysqli_query($c, "select * from t where id = $id");`,
    safe: `<?php
$id = (int) $_GET['id'];
mysqli_query($c, "select * from t where id = $id");`,
  },
  {
    title: 'what one rule calls harmless still harms another',
    language: 'PHP',
    harms: `<?php
system('echo ' . htmlspecialchars($_GET['q']));`,
    safe: `<?php
echo htmlspecialchars($_GET['q']);`,
  },
  {
    title: 'a helper that throws checks for its caller',
    language: 'JavaScript',
    harms: `function check(name) { if (name.length > 9) throw new Error() }
app.get('/', (req, res) => { const n = req.query.n; check(n); fs.readFile('/srv/' + n, done) })`,
    safe: `function check(name) { if (name.includes('..')) throw new Error() }
app.get('/', (req, res) => { const n = req.query.n; check(n); fs.readFile('/srv/' + n, done) })`,
  },
  {
    title: 'a loop that breaks brings out what it found',
    language: 'Python',
    harms: `def view(request):
    found = ''
    for name in request.GET.keys():
        if len(name) < 3:
            continue
        found = name
        break
    os.system(found)`,
    safe: `def view(request):
    found = ''
    for name in request.GET.keys():
        if len(name) < 3:
            continue
        found = 'x'
        break
    os.system(found)`,
  },
  {
    title: 'a parameter of a handler is outside data where a mark says so',
    language: 'TypeScript',
    harms: `class C {
  @Get(':id')
  find(@Param('id') id: string) { return this.db.query('select ' + id) }
}`,
    safe: `class C {
  find(id: string) { return this.db.query('select ' + id) }
}`,
  },
]

const all = () => true
const read = (language: string, text: string) =>
  readPieces(language, [{ first: 1, lines: text.split('\n') }], all) ?? []

test.each(pairs)('$title', ({ language, harms, safe }) => {
  expect(read(language, harms)).toHaveLength(1)
  expect(read(language, safe)).toEqual([])
})

test('A flow names each line on which the data was handed on', () => {
  const code = `const id = req.query.id
const where = 'id = ' + id
const sql = 'select * from t where ' + where
db.query(sql)`

  const [risk] = read('JavaScript', code)

  expect(risk?.steps.map(({ line }) => line)).toEqual([1, 2, 3, 4])
})

test('What no added line has a part in is not reported', () => {
  const lines = ['const id = req.query.id', "const other = 'x'", "db.query('select ' + id)"]

  const untouched = readPieces('JavaScript', [{ first: 10, lines }], (line) => line === 11)
  const atSource = readPieces('JavaScript', [{ first: 10, lines }], (line) => line === 10)

  expect(untouched).toEqual([])
  expect(atSource).toMatchObject([{ line: 12 }])
})

test.each([
  [
    'collections within themselves',
    `let m = {}\n${Array.from({ length: 500 }, (_, n) => `m[k${n}] = m; m.a${n} = m`).join('\n')}\neval(req.query.q)`,
  ],
  [
    'functions that call each other',
    [
      ...Array.from({ length: 100 }, (_, n) => `function f${n}(a) { f${(n + 1) % 100}(a); f${(n + 2) % 100}(a) }`),
      'eval(req.query.q)',
    ].join('\n'),
  ],
  [
    'a merge beside a word of the same parts',
    `function merge(into, from) {
  for (const key in from) into[key] = merge(into[key], from[key])
  ${'hasOwn'.repeat(200_000)}
}`,
  ],
])('What is made to be hard is read to its end: %s', (_, text) => {
  expect(read('JavaScript', text)).toHaveLength(1)
})
