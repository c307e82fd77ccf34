// What a check on the way says of data: pairs of which one harms all the same and the other does not.

import { expect, test } from 'vitest'
import { readPieces } from './pieces.ts'

const pairs: { title: string; language: string; harms: string; safe: string }[] = [
  {
    title: 'the end of a path says nothing of where it leads, the beginning of a whole one does',
    language: 'JavaScript',
    harms: `const f = req.query.f
if (f.slice(-4) === '.pdf') fs.readFile('/srv/' + f, done)`,
    safe: `const f = path.resolve(req.query.f)
if (f.slice(0, 5) === '/srv/') fs.readFile(f, done)`,
  },
  {
    title: 'a beginning that is compared says where a path leads once it was made whole',
    language: 'JavaScript',
    harms: `const f = '/srv/' + req.query.f
if (f.substring(0, 5) === '/srv/') fs.readFile(f, done)`,
    safe: `const f = path.join('/srv', req.query.f)
if (f.substring(0, 5) === '/srv/') fs.readFile(f, done)`,
  },
  {
    title: 'a scheme says nothing of where a request goes, a host does',
    language: 'JavaScript',
    harms: `const to = req.query.to
if (to.slice(0, 4) === 'http') axios.get(to)`,
    safe: `const to = req.query.to
if (to.slice(0, 20) === 'https://example.org/') axios.get(to)`,
  },
  {
    title: 'a part of a text that is cut off by a function is looked at for its place as well',
    language: 'PHP',
    harms: `<?php
$f = $_GET['f'];
if (substr($f, -4) == '.txt') { readfile('/srv/' . $f); }`,
    safe: `<?php
$f = realpath($_GET['f']);
if (substr($f, 0, 5) == '/srv/') { readfile($f); }`,
  },
  {
    title: 'to run something is no check, to look for an expression is',
    language: 'JavaScript',
    harms: `const cp = require('child_process')
const f = req.query.f
if (cp.exec('ls')) {
  if (cp.exec(f.length, f)) eval(f)
}`,
    safe: `const f = req.query.f
if (/^[a-z]+$/.exec(f)) eval(f)`,
  },
  {
    title: 'a function that says it is safe is read, not believed',
    language: 'JavaScript',
    harms: `function safeFileName(n) { return n.replace(/ /g, '_') }
fs.readFile('/srv/' + safeFileName(req.query.f), done)`,
    safe: `function safeFileName(n) { return n.replace(/../g, '_') }
fs.readFile('/srv/' + safeFileName(req.query.f), done)`,
  },
  {
    title: 'what is replaced once stands there a second time',
    language: 'JavaScript',
    harms: `const n = req.query.n.replace("'", '')
db.query("SELECT * FROM t WHERE n = '" + n + "'")`,
    safe: `const n = req.query.n.replace(/'/g, '')
db.query("SELECT * FROM t WHERE n = '" + n + "'")`,
  },
  {
    title: 'what leads upwards stands again where it is taken out of itself',
    language: 'Python',
    harms: `def f():
    name = request.args.get('n').replace('../', '')
    return open('/srv/' + name).read()`,
    safe: `def f():
    name = request.args.get('n').replace('..', '')
    return open('/srv/' + name).read()`,
  },
  {
    title: 'what was escaped for quotes harms outside of them',
    language: 'PHP',
    harms: `<?php
$id = addslashes($_GET['id']);
mysqli_query($db, "SELECT * FROM t WHERE id = $id");`,
    safe: `<?php
$id = addslashes($_GET['id']);
mysqli_query($db, "SELECT * FROM t WHERE id = '$id'");`,
  },
  {
    title: 'the name of an uploaded file is chosen outside, the place where the server put it is not',
    language: 'PHP',
    harms: `<?php
readfile('/srv/' . $_FILES['f']['name']);`,
    safe: `<?php
readfile($_FILES['f']['tmp_name']);`,
  },
  {
    title: 'a function that should escape is believed of the signs that it replaces',
    language: 'JavaScript',
    harms: `function escapeHtml(text) {
  return '<b>' + text.split('').map((sign) => (sign === 'a' ? 'b' : sign)).join('') + '</b>'
}
app.get('/', (req, res) => res.send(escapeHtml(req.query.name)))`,
    safe: `function escapeHtml(text) {
  return text.split('').map((sign) => (sign === '<' ? '&lt;' : sign)).join('')
}
app.get('/', (req, res) => res.send(escapeHtml(req.query.name)))`,
  },
  {
    title: 'an address that is taken apart still leads upwards',
    language: 'PHP',
    harms: `<?php
$p = parse_url($_GET['u'], PHP_URL_PATH);
if (strpos($p, '/docs/') === 0) { readfile('/srv' . $p); }`,
    safe: `<?php
$p = realpath('/srv' . parse_url($_GET['u'], PHP_URL_PATH));
if (strpos($p, '/srv/docs/') === 0) { readfile($p); }`,
  },
  {
    title: 'a path that begins at the root still leads upwards',
    language: 'Python',
    harms: `p = (Path('/srv') / request.args['n']).absolute()
if str(p).startswith('/srv/'):
    open(p)`,
    safe: `p = (Path('/srv') / request.args['n']).resolve()
if str(p).startswith('/srv/'):
    open(p)`,
  },
  {
    title: 'the beginning of a path says where it leads once the path was made whole',
    language: 'JavaScript',
    harms: `const file = req.query.file
if (file.startsWith('/srv/files/')) fs.readFile(file, done)`,
    safe: `const file = path.resolve(req.query.file)
if (file.startsWith('/srv/files/')) fs.readFile(file, done)`,
  },
  {
    title: 'the same by the place at which the beginning is found',
    language: 'Java',
    harms: `void f(HttpServletRequest request) throws Exception {
  String file = new File("/srv", request.getParameter("f")).getCanonicalPath();
  if (file.indexOf("/srv/") == 0) return;
  new FileInputStream(file);
}`,
    safe: `void f(HttpServletRequest request) throws Exception {
  String file = new File("/srv", request.getParameter("f")).getCanonicalPath();
  if (file.indexOf("/srv/") != 0) return;
  new FileInputStream(file);
}`,
  },
  {
    title: 'a whole path that does not lead upwards stays within',
    language: 'JavaScript',
    harms: `const way = path.relative(root, req.query.file)
if (way.startsWith('..')) fs.readFile(path.join(root, way), done)`,
    safe: `const way = path.relative(root, req.query.file)
if (!way.startsWith('..')) fs.readFile(path.join(root, way), done)`,
  },
  {
    title: 'a common part that is the folder keeps a path within it',
    language: 'Python',
    harms: `p = os.path.realpath(os.path.join(BASE, request.args['f']))
if os.path.commonpath([BASE, p]) == BASE:
    abort(404)
open(p)`,
    safe: `p = os.path.realpath(os.path.join(BASE, request.args['f']))
if os.path.commonpath([BASE, p]) != BASE:
    abort(404)
    raise Missing()
open(p)`,
  },
  {
    title: 'a host that equals a known one says where a request goes, its scheme does not',
    language: 'JavaScript',
    harms: `const to = new URL(req.query.to)
if (to.protocol === expected) fetch(to)`,
    safe: `const to = new URL(req.query.to)
if (to.hostname === expected) fetch(to)`,
  },
  {
    title: 'a text in which nothing but what is allowed is found is harmless where nothing was found',
    language: 'Python',
    harms: `def f(request):
    host = request.GET['host']
    if not re.search(r'[^a-z0-9.]', host):
        raise Bad()
    os.system('ping ' + host)`,
    safe: `def f(request):
    host = request.GET['host']
    if re.search(r'[^a-z0-9.]', host):
        raise Bad()
    os.system('ping ' + host)`,
  },
  {
    title: 'a text without signs of markup is harmless to pages where none was found',
    language: 'JavaScript',
    harms: `app.get('/', (req, res) => {
  const name = req.query.name
  if (/[<>"'&]/.exec(name) !== null) res.send(name)
})`,
    safe: `app.get('/', (req, res) => {
  const name = req.query.name
  if (/[<>"'&]/.exec(name) === null) res.send(name)
})`,
  },
  {
    title: 'an escaper of the same piece does what its name says where it replaces something',
    language: 'JavaScript',
    harms: `const escapeHtml = (text) => String(text).trim()
app.get('/', (req, res) => res.send(escapeHtml(req.query.name)))`,
    safe: `const SIGNS = /[<>&"]/g
const escapeHtml = (text) => String(text).replace(SIGNS, (sign) => NAMED[sign])
app.get('/', (req, res) => res.send(escapeHtml(req.query.name)))`,
  },
  {
    title: 'a quote that ends the quoted text, stands escaped and begins it again is what a shell wants',
    language: 'JavaScript',
    harms: `cp.exec('ls ' + req.query.d.replace(/a/g, 'b'))`,
    safe: `cp.exec("ls '" + req.query.d.replace(/'/g, "'\\\\''") + "'")`,
  },
  {
    title: 'base 64 has no sign that pages read',
    language: 'PHP',
    harms: `<?php echo base64_decode($_GET['a']);`,
    safe: `<?php echo base64_encode($_GET['a']);`,
  },
  {
    title: 'what takes an encoding back gives what it was before',
    language: 'Python',
    harms: `def f(request):
    return HttpResponse(base64.b64decode(base64.b64encode(request.GET['a'])))`,
    safe: `def f(request):
    return HttpResponse(base64.b64encode(request.GET['a']))`,
  },
  {
    title: 'a path that is made of data and checked after that is no fault where it is made',
    language: 'Java',
    harms: `void f(HttpServletRequest request) throws Exception {
  File file = new File("/srv", request.getParameter("f"));
  if (!file.getPath().startsWith("/srv/")) throw new Refused();
}`,
    safe: `void f(HttpServletRequest request) throws Exception {
  File file = new File("/srv", request.getParameter("f"));
  if (!file.getCanonicalPath().startsWith("/srv/")) throw new Refused();
}`,
  },
  {
    title: 'a name that nothing binds harms within a statement as a parameter does, a constant does not',
    language: 'Python',
    harms: `engine.execute("SELECT id FROM users WHERE name = '%s'" % name)`,
    safe: `engine.execute("SELECT id FROM users WHERE name = '%s'" % NAME)`,
  },
]

const hits = (language: string, text: string) =>
  readPieces(language, [{ first: 1, lines: text.split('\n') }], () => true) ?? []

test.each(pairs)('$title', ({ language, harms, safe }) => {
  expect(hits(language, harms)).not.toEqual([])
  expect(hits(language, safe)).toEqual([])
})
