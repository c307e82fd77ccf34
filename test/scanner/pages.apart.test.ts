// What pages and their answers show: passive checks see it once for each cause.

import { expect, test } from 'vitest'
import { checks } from '../../src/scanner/checks/index.ts'
import { type Described, findingsOf, type Handler } from './tiny.ts'

const passive = checks.flatMap(({ kind, id }) => (kind === 'passive' ? [id] : []))

const look = (handle: Handler, operations: Described = { 'GET /page': {} }) =>
  findingsOf(handle, passive, operations, { identities: [] })

const guarded = {
  'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'permissions-policy': 'camera=()',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

test('a page that says nothing to browsers has one finding for each header, however many pages there are', async () => {
  const found = await look(() => [200, '<html><p>tea</p></html>'], { 'GET /a': {}, 'GET /b': {}, 'GET /c': {} })

  expect(found.map(({ check, count }) => [check, count]).sort()).toEqual([
    ['clickjacking', 3],
    ['content-security-policy-missing', 3],
    ['content-type-options-missing', 3],
    ['opener-policy-missing', 3],
    ['permissions-policy-missing', 3],
  ])
  const apart = found.find(({ check }) => check === 'opener-policy-missing')
  expect(apart?.detail).toMatch(/Opener-Policy is missing, .*Embedder-Policy and .*Resource-Policy/)
})

test('a page that says what it should has no finding', async () => {
  const found = await look(() => [
    200,
    '<html><p>tea</p></html>',
    { ...guarded, 'set-cookie': 'sid=abc; Secure; HttpOnly; SameSite=Lax' },
  ])

  expect(found).toEqual([])
})

test.each([
  [
    'a policy that lets injected scripts run',
    { 'content-security-policy': "script-src 'self' 'unsafe-inline'; frame-ancestors 'none'" },
    'content-security-policy-weak',
  ],
  ['a session that scripts can read', { 'set-cookie': 'sid=abc; Secure; SameSite=Lax' }, 'cookie-http-only'],
  ['a session without encryption', { 'set-cookie': 'sid=abc; HttpOnly; SameSite=Lax' }, 'cookie-secure'],
  [
    'a cookie that goes along with requests of other sites',
    { 'set-cookie': 'sid=abc; HttpOnly; Secure' },
    'cookie-same-site',
  ],
  [
    'a cookie for a whole domain',
    { 'set-cookie': 'sid=abc; HttpOnly; Secure; SameSite=Lax; Domain=example.com' },
    'cookie-scope',
  ],
  ['a version in Server', { server: 'Apache/2.4.1' }, 'server-version'],
  ['the name of a framework', { 'x-powered-by': 'Express' }, 'powered-by'],
  ['an answer that any site may read', { 'access-control-allow-origin': '*' }, 'cross-origin-any'],
])('%s is found', async (_, headers, check) => {
  const found = await look(() => [200, '<html><p>tea</p></html>', { ...guarded, ...headers }])

  expect(found.map((one) => one.check)).toEqual([check])
})

test.each([
  ['a trace of Python', 'Traceback (most recent call last):\n  File "x"', ['error-trace']],
  ['a trace of Node', 'Error: x\n    at run (/app/src/server.js:10:5)', ['error-trace']],
  [
    'a trace of Java within JSON',
    {
      status: 500,
      trace: 'java.lang.Fault: x\r\n\tat shop.Orders.find(Orders.java:71)\r\n\tat shop.Main.run(Main.java:9)',
    },
    ['error-trace'],
  ],
  ['a line of a trace within a text', { text: 'it says at shop.Orders.find(Orders.java:71) in the log' }, []],
  ['a warning of PHP', '<b>Warning</b>: mysql_fetch() expects x in <b>/var/www/html/a.php</b>', ['error-trace']],
  ['a path of the server', '<p>There is no /var/www/html/a.php</p>', ['full-path']],
  ['a list of files', '<title>Index of /backup</title>', ['directory-listing']],
  ['an inner address', '<p>served by 10.11.12.13</p>', ['private-address']],
  ['a card', '<p>4111111111111111</p>', ['card-numbers']],
  ['a key', '<p>AKIAIOSFODNN7EXAMPLE</p>', ['secret-in-answer']],
  ['a comment', '<!-- HACK: remove the password check -->', ['suspicious-comment']],
  [
    'a form without a token',
    '<form method="post" action="/transfer"><input name="amount"></form>',
    ['forged-request-guard-missing'],
  ],
  ['an old library', '<script src="/js/jquery-1.12.4.min.js"></script>', ['vulnerable-library']],
  ['a script of another site', '<script src="https://cdn.example/x.js"></script>', ['integrity-missing']],
])('%s in a page is found', async (_, html, expected) => {
  const found = await look(() => [200, html, guarded])

  expect(found.map(({ check }) => check).sort()).toEqual(expected)
})

test('a form without a token is nothing where only a header says who asks', async () => {
  const form = '<form method="post" action="/transfer"><input name="amount"></form>'
  const foundOf = (name: string, value: string) =>
    findingsOf(
      () => [200, form, guarded],
      ['forged-request-guard-missing'],
      { 'GET /page': {} },
      {
        identities: [{ name: 'ann', headers: [[name, value]], cookies: [], query: [] }],
      },
    )

  // the same page is asked as nobody too
  expect(await foundOf('Authorization', 'Bearer abcdefgh')).toEqual([])
  expect(await foundOf('Authorization', 'Basic YW5uOnJpZ2h0')).toHaveLength(1)
  expect(await foundOf('Cookie', 'sid=abcdefgh')).toHaveLength(1)
})

test('a sign-in that offers to remember somebody needs no token', async () => {
  const field = '<input type="checkbox" name="remember-me"><label>Remember me</label>'
  const foundOf = async (more: string) => {
    const form = `<form method="post" action="/in"><input name="who"><input type="password" name="pass">${more}<button>Log in</button></form>`
    return (await look(() => [200, form, guarded])).map(({ check }) => check)
  }

  expect(await foundOf(field)).not.toContain('forged-request-guard-missing')
  expect(await foundOf('<input type="checkbox" name="is_admin">')).toContain('forged-request-guard-missing')
})

test('a library is known by its own first lines, and not by those of another that asks for it', async () => {
  const foundOf = async (text: string) =>
    (await look(() => [200, text, { ...guarded, 'content-type': 'text/javascript' }])).map(({ check }) => check)

  expect(await foundOf('/*!\n * Bootstrap v3.3.7 (https://getbootstrap.com)\n */')).toEqual(['vulnerable-library'])
  expect(await foundOf('/*! jQuery v3.1.0 | (c) jQuery Foundation */')).toEqual(['vulnerable-library'])
  expect(await foundOf('throw new Error("It requires at least jQuery v1.9.1 but less than v4.0.0")')).toEqual([])
})

test('an unprotected form with one text field and no word of a change is reported with low severity', async () => {
  const severitiesOf = async (fields: string) => {
    const found = await look(() => [200, `<form method="post" action="/go">${fields}</form>`, guarded])
    return found.filter(({ check }) => check === 'forged-request-guard-missing').map(({ severity }) => severity)
  }

  expect(await severitiesOf('<input name="host"><button>Look up</button>')).toEqual(['LOW'])
  expect(await severitiesOf('<input name="host"><button>Add host</button>')).toEqual(['MEDIUM'])
  expect(await severitiesOf('<input name="host"><input name="port"><button>Go</button>')).toEqual(['MEDIUM'])
  expect(await severitiesOf('<textarea name="host"></textarea><button>Go</button>')).toEqual(['MEDIUM'])
  const hidden = '<input type="hidden" name="id" value="7">'
  expect(await severitiesOf(`${hidden}<button>Download</button>`)).toEqual(['LOW'])
  expect(await severitiesOf(`${hidden}<button>Go</button>`)).toEqual(['MEDIUM'])
  expect(await severitiesOf('<input type="password" name="pin"><button>Unlock</button>')).toEqual([])
  expect(await severitiesOf('<input type="password" name="pin"><button>Change</button>')).toEqual(['MEDIUM'])
})

test('a form that searches or signs in needs no token, and one that knows the account does', async () => {
  const formsOf = async (fields: string) => {
    const page = `<form method="post">${fields}<button>Go</button></form>`
    const found = await look(() => [200, page, { ...guarded, 'set-cookie': 'sid=0123456789; HttpOnly; SameSite=Lax' }])
    return found.filter(({ check }) => check === 'forged-request-guard-missing').length
  }

  expect(await formsOf('<input name="searchQuery"><input type="hidden" name="page" value="1">')).toBe(0)
  expect(await formsOf('<input name="uname"><input type="password" name="passwd">')).toBe(0)
  expect(await formsOf('<input name="uname" value="ann"><input type="password" name="passwd">')).toBe(1)
  expect(await formsOf('<input name="search"><input name="amount">')).toBe(1)
  expect(await formsOf('<input type="password" name="first"><input type="password" name="second">')).toBe(1)
})

test('whoever is signed in and is shown fields for a name and a password makes an account, unless it says that it signs in', async () => {
  const told = async (form: string) =>
    findingsOf(
      () => [200, form, guarded],
      ['forged-request-guard-missing'],
      { 'GET /page': {} },
      { identities: [{ name: 'ann', headers: [['Cookie', 'sid=abcdefgh']], cookies: [], query: [] }] },
    ).then((found) => found.length)
  const name = '<input name="username">'
  const fields = `${name}<input type="password" name="password">`

  expect(await told(`<form method="post" action="/users">${fields}<button>Create user</button></form>`)).toBe(1)
  expect(await told(`<form method="post">${name}<input type="password" name="new_password"></form>`)).toBe(1)
  expect(await told(`<form method="post">${fields}<button><b>Sign in</b></button></form>`)).toBe(0)
  expect(await told(`<form method="post">${fields}<input type="submit" value="Log in"></form>`)).toBe(0)
  expect(await told(`<form method="post" action="/session/authenticate">${fields}</form>`)).toBe(0)
  expect(await told(`<form method="post" action="/authentication/users">${fields}</form>`)).toBe(1)
})

test('a form on every page is reported once, and so is one that stands below it', async () => {
  const header = (path: string) => `<form method="post" action="${path}"><select name="level"></select></form>`
  const below = '<form method="post" action="/pay"><input name="amount"></form>'
  const service: Handler = ({ path }) => [200, header(path) + (path === '/second' ? below : ''), guarded]

  const found = await look(service, { 'GET /first': {}, 'GET /second': {} })

  expect(found.filter(({ check }) => check === 'forged-request-guard-missing').map(({ detail }) => detail)).toEqual([
    'The form to /first has no field with a CSRF token.',
    'The form to /pay has no field with a CSRF token.',
  ])
})

test('a form whose address has a number is reported once, and so is a comment that repeats the request', async () => {
  const form = (id: string) => `<form method="post" action="/notes/${id}"><input name="note"></form>`
  const service: Handler = ({ query, path }) => [
    200,
    `${form(path === '/first' ? '1' : '2')}<!-- HACK: escape the password field ${query.get('q')} -->`,
    guarded,
  ]

  const found = await look(service, { 'GET /first': { query: { q: 'green' } }, 'GET /second': { query: { q: 'tea' } } })

  expect(found.map(({ check }) => check).sort()).toEqual(['forged-request-guard-missing', 'suspicious-comment'])
})

test.each([
  ['a number that is no card', '<p>4111111111111112</p>'],
  ['words about errors', '<p>An error occurred while processing, at least once</p>'],
  [
    'a form with a token',
    '<form method="post" action="/x"><input type="hidden" name="csrf_token" value="a1b2c3d4"><input name="a"></form>',
  ],
  ['a library of today', '<script src="/js/jquery-3.7.1.min.js"></script>'],
  ['a script of another site with its hash', '<script src="https://cdn.example/x.js" integrity="sha384-x"></script>'],
])('%s in a page is nothing', async (_, html) => {
  const found = await look(() => [200, html, guarded])

  expect(found).toEqual([])
})

test('the answer of a service is described without its credentials', async () => {
  const service: Handler = () => [200, { token: 'abcdefghijklmnopqrstuvwxyz' }]

  const [found] = await findingsOf(
    service,
    ['content-type-options-missing'],
    { 'GET /me': {} },
    { identities: [{ name: 'me', headers: [['Authorization', 'Bearer s3cr3t-of-somebody']], cookies: [], query: [] }] },
  )

  expect(JSON.stringify(found)).not.toContain('s3cr3t-of-somebody')
  expect(JSON.stringify(found)).not.toContain('abcdefghijklmnopqrstuvwxyz')
  expect(found?.evidence.curl).toMatch(/^curl /)
})
