// What a function is given by a caller that is not seen, and what calls and methods hand on: pairs that differ by one thing.

import { expect, test } from 'vitest'
import { readPieces } from './pieces.ts'

const pairs: { title: string; language: string; harms: string; safe: string }[] = [
  {
    title: 'what comes over a connection is outside data, that it ended is not',
    language: 'JavaScript',
    harms: `socket.on('message', (text) => eval(text))`,
    safe: `socket.on('error', (text) => log('' + eval('1')))`,
  },
  {
    title: 'the event of a function that a cloud calls is outside data',
    language: 'Python',
    harms: `def lambda_handler(event, context):
    os.system('ping ' + event['host'])`,
    safe: `def lambda_handler(event, count):
    os.system('ping ' + event['host'])`,
  },
  {
    title: 'what a caller gives harms within quotes of a statement, not in the place of a name',
    language: 'Python',
    harms: `def find(db, name):
    db.execute("SELECT id FROM users WHERE name = '" + name + "'")`,
    safe: `def find(db, name):
    db.execute("SELECT id FROM " + name)`,
  },
  {
    title: 'what a caller gives is no text where its type is a number',
    language: 'Java',
    harms: `void f(Statement s, String id) throws Exception { s.executeQuery("SELECT * FROM t WHERE id = " + id); }`,
    safe: `void f(Statement s, long id) throws Exception { s.executeQuery("SELECT * FROM t WHERE id = " + id); }`,
  },
  {
    title: 'outside data in a list that a caller gave is checked',
    language: 'JavaScript',
    harms: `const f = (req, known) => {
  if (known.length > 0) cp.exec('ls ' + req.query.d)
}`,
    safe: `const f = (req, known) => {
  if (known.includes(req.query.d)) cp.exec('ls ' + req.query.d)
}`,
  },
  {
    title: 'an address that begins with what a caller gave leads where that says',
    language: 'JavaScript',
    harms: `const f = (base, req) => fetch(req.query.u + base)`,
    safe: `const f = (base, req) => fetch(base + req.query.u)`,
  },
  {
    title: 'many bytes are text, one byte is a number',
    language: 'Java',
    harms: `void f(HttpServletRequest request) throws Exception {
  byte[] sent = request.getParameter("q").getBytes();
  Runtime.getRuntime().exec("echo " + new String(sent));
}`,
    safe: `void f(HttpServletRequest request) throws Exception {
  byte sent = Byte.parseByte(request.getParameter("q"));
  Runtime.getRuntime().exec("echo " + sent);
}`,
  },
  {
    title: 'methods of one name are each read',
    language: 'Java',
    harms: `class A {
  void f(HttpServletRequest request) throws Exception { Runtime.getRuntime().exec("echo " + request.getParameter("q")); }
  void f(int n) {}
}`,
    safe: `class A {
  void f(HttpServletRequest request) throws Exception { Runtime.getRuntime().exec("echo"); }
  void f(int n) {}
}`,
  },
  {
    title: 'an answer that is no page on one way alone is a page',
    language: 'JavaScript',
    harms: `app.get('/', (req, res) => {
  if (plain) res.type('text/plain')
  res.send('Hello ' + req.query.n)
})`,
    safe: `app.get('/', (req, res) => {
  res.type('text/plain')
  res.send('Hello ' + req.query.n)
})`,
  },
  {
    title:
      'what whoever starts a program gives harms as a parameter does, what comes line by line of a connection as outside data',
    language: 'Java',
    harms: `void f(Socket socket) throws Exception {
  new FileInputStream(new BufferedReader(new InputStreamReader(socket.getInputStream())).readLine());
}`,
    safe: `void f() throws Exception {
  new FileInputStream(new BufferedReader(new InputStreamReader(System.in)).readLine());
}`,
  },
  {
    title: 'an argument of the program harms within a command, not as a path',
    language: 'Python',
    harms: `os.system('ping ' + sys.argv[1])`,
    safe: `open('/srv/' + sys.argv[1])`,
  },
]

const read = (language: string, text: string) =>
  readPieces(language, [{ first: 1, lines: text.split('\n') }], () => true) ?? []

test.each(pairs)('$title', ({ language, harms, safe }) => {
  expect(read(language, harms)).toHaveLength(1)
  expect(read(language, safe)).toEqual([])
})

test('A finding says where its data is what a caller gives', () => {
  const [ours] = read('Python', 'def f(x):\n    return eval(x)')
  const [outside] = read('Python', "eval(request.args['x'])")

  expect([ours?.isGiven, outside?.isGiven]).toEqual([true, false])
})
