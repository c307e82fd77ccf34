// Ways that outside data takes through code of any kind: pairs that differ by one thing, of which one harms and the other does not.

import { expect, test } from 'vitest'
import { readPieces } from './pieces.ts'

const pairs: { title: string; language: string; harms: string; safe: string }[] = [
  {
    title: 'what a loop gathers while it counts is there after it',
    language: 'JavaScript',
    harms: `let line = ''
for (let n = 0; n < 3; n++) { line += req.query.word }
eval(line)`,
    safe: `let line = ''
for (let n = 0; n < 3; n++) { line += 'a' }
eval(line)`,
  },
  {
    title: 'code after a loop that counts is read',
    language: 'Java',
    harms: `void f(HttpServletRequest request) throws Exception {
  int n = 0;
  while (n < 3) { n++; }
  Runtime.getRuntime().exec(request.getParameter("line"));
}`,
    safe: `void f(HttpServletRequest request) throws Exception {
  while (true) { request.getParameter("line"); }
  Runtime.getRuntime().exec("date");
}`,
  },
  {
    title: 'a function is read that harms only through another',
    language: 'Go',
    harms: `func show(w http.ResponseWriter, r *http.Request) { list(r.FormValue("d")) }
func list(d string) { exec.Command("sh", "-c", "ls "+d) }`,
    safe: `func show(w http.ResponseWriter, r *http.Request) { list("a") }
func list(d string) { exec.Command("ls", d) }`,
  },
  {
    title: 'a method of Go is called on its type',
    language: 'Go',
    harms: `type shop struct{ db *sql.DB }
func (s *shop) show(w http.ResponseWriter, r *http.Request) { s.list(r.FormValue("d")) }
func (s *shop) list(d string) { s.db.Query("SELECT 1 FROM t WHERE a = '" + d + "'") }`,
    safe: `type shop struct{ db *sql.DB }
func (s *shop) show(w http.ResponseWriter, r *http.Request) { s.list(r.FormValue("d")) }
func (s *shop) list(d string) { s.db.Query("SELECT 1 FROM t WHERE a = ?", d) }`,
  },
  {
    title: 'what a body is decoded into comes from outside',
    language: 'Go',
    harms: `func f(w http.ResponseWriter, r *http.Request) {
  var order Order
  if err := json.NewDecoder(r.Body).Decode(&order); err != nil { return }
  exec.Command("sh", "-c", order.Note)
}`,
    safe: `func f(w http.ResponseWriter, r *http.Request) {
  var order Order
  if err := json.NewDecoder(file).Decode(&order); err != nil { return }
  exec.Command("sh", "-c", order.Note)
}`,
  },
  {
    title: 'a call that never comes back ends the way that was checked',
    language: 'Python',
    harms: `path = os.path.realpath(os.path.join(BASE, request.args['name']))
if not path.startswith(BASE):
    warn(400)
open(path)`,
    safe: `path = os.path.realpath(os.path.join(BASE, request.args['name']))
if not path.startswith(BASE):
    abort(400)
open(path)`,
  },
  {
    title: 'what one method puts into a field another reads',
    language: 'PHP',
    harms: `<?php
class Page {
  public function read() { $this->name = $_GET['name']; }
  public function show() { system('ls ' . $this->name); }
}`,
    safe: `<?php
class Page {
  public function read() { $this->name = $_GET['name']; }
  public function show() { system('ls ' . $this->folder); }
}`,
  },
  {
    title: 'a parameter of a constructor that is a field as well keeps what it was given',
    language: 'PHP',
    harms: `<?php
class Job {
  public function __construct(private string $line) {}
  public function run() { system($this->line); }
}
$job = new Job($_GET['line']);
$job->run();`,
    safe: `<?php
class Job {
  public function __construct(private string $line) {}
  public function run() { system($this->line); }
}
$job = new Job('date');
$job->run();`,
  },
  {
    title: 'a handler takes its request apart in its head',
    language: 'JavaScript',
    harms: `app.post('/run', ({ body: { line } }, res) => { eval(line) })`,
    safe: `app.post('/run', ({ app: { line } }, res) => { eval(line) })`,
  },
  {
    title: 'a promise gives what it was settled with',
    language: 'JavaScript',
    harms: `const f = async (req) => eval(await new Promise((resolve) => resolve(req.query.line)))`,
    safe: `const f = async (req) => eval(await new Promise((resolve) => resolve('1')))`,
  },
  {
    title: 'a function may stand after the code that hands it over',
    language: 'JavaScript',
    harms: `app.get('/run', (req, res) => { start(req.query.line) })
const start = (line) => { eval(line) }`,
    safe: `app.get('/run', (req, res) => { start('1') })
const start = (line) => { console.table(line) }`,
  },
  {
    title: 'state of a component is what its setter was given',
    language: 'TSX',
    harms: `function Note() {
  const [text, setText] = useState('')
  useEffect(() => { setText(window.location.hash) }, [])
  return <p dangerouslySetInnerHTML={{ __html: text }} />
}`,
    safe: `function Note() {
  const [text, setText] = useState('')
  useEffect(() => { setText(window.location.hash) }, [])
  return <p>{text}</p>
}`,
  },
  {
    title: 'a generator gives what it yields',
    language: 'Python',
    harms: `def words(request):
    yield request.args['word']
def show(request):
    for word in words(request):
        os.system(word)`,
    safe: `def words(request):
    yield 'date'
def show(request):
    for word in words(request):
        os.system(word)`,
  },
  {
    title: 'what is given by name arrives under it',
    language: 'Python',
    harms: `def start(**options):
    os.system(options['line'])
start(line=request.args['line'])`,
    safe: `def start(**options):
    os.system(options['line'])
start(line='date', note=request.args['line'])`,
  },
  {
    title: 'of a list that is no line of a shell the parts harm nothing',
    language: 'Python',
    harms: `subprocess.run(['sh', '-c', request.args['line']])`,
    safe: `subprocess.run(['ls', '--', request.args['line']])`,
  },
  {
    title: 'a method of a controller is given what was sent, but what its container makes',
    language: 'Java',
    harms: `@RestController class C { @PostMapping("/x") String f(Order order) throws Exception { Runtime.getRuntime().exec("ls " + order.getNote()); return ""; } }`,
    safe: `@RestController class C { @PostMapping("/x") String f(Locale order) throws Exception { Runtime.getRuntime().exec("ls " + order.getCountry()); return ""; } }`,
  },
  {
    title: 'an address within the site leads nowhere else, whatever it was made against',
    language: 'JavaScript',
    harms: `NextResponse.redirect(new URL(req.nextUrl.searchParams.get('to'), req.url))`,
    safe: `NextResponse.redirect(new URL('/login', req.url))`,
  },
]

const harmsIn = (language: string, code: string) =>
  (readPieces(language, [{ first: 1, lines: code.split('\n') }], () => true) ?? []).length > 0

test.each(pairs)('$title ($language)', ({ language, harms, safe }) => {
  expect(harmsIn(language, harms), harms).toBe(true)
  expect(harmsIn(language, safe), safe).toBe(false)
})
