// What looks like an injection and is another flaw or none, and what guards by the look of a value hide.

import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

test('a sum that a database computes of a text is no code', async () => {
  const sum = (body: unknown): number | null => {
    const text = body !== null && typeof body === 'object' && 'entry' in body ? String(body.entry) : ''
    const [, left, right] = /'\+\((\d+)\*(\d+)\)\+'/.exec(text) ?? []
    return left && right ? Number(left) * Number(right) : null
  }
  const joined = (body: unknown) => {
    const text = body !== null && typeof body === 'object' && 'entry' in body ? String(body.entry) : ''
    return text.replace(/'\+\(\d+\*\d+\)\+'/, () => String(sum(body)))
  }
  const asked = (answer: (body: unknown) => unknown) =>
    findingsOf(({ body }) => [200, { entry: answer(body) }], ['code-injection'], {
      'POST /blog': { body: { entry: 'tea' } },
    })

  const [database, script] = [await asked((body) => sum(body) ?? 'kept'), await asked(joined)]

  expect(database).toEqual([])
  expect(script.map(({ check }) => check)).toEqual(['code-injection'])
})

test('a script in what is sent along with a redirect runs nowhere', async () => {
  const shownAt = ({ query }: { query: URLSearchParams }) => `<a href="${query.get('to')}">${query.get('to')}</a>`
  const asked = (handle: Handler) =>
    findingsOf(handle, ['cross-site-scripting'], { 'GET /go': { query: { to: '/home' } } })

  const shown = await asked((one) => [200, shownAt(one)])
  const led = await asked((one) => [302, shownAt(one), { location: '/home' }])

  expect(shown.map(({ check }) => check)).toEqual(['cross-site-scripting'])
  expect(led).toEqual([])
})

test('a script in an address runs where nothing but addresses is taken', async () => {
  const joining =
    (isEscaped: boolean): Handler =>
    ({ body }) => {
      const mail = body !== null && typeof body === 'object' && 'mail' in body ? String(body.mail) : ''
      if (!mail.includes('@')) return [400, '<p>Give us an address</p>']
      return [200, `<p>Welcome ${isEscaped ? mail.replaceAll('<', '&lt;') : mail}</p>`]
    }
  const asked = (isEscaped: boolean) =>
    findingsOf(joining(isEscaped), ['cross-site-scripting'], { 'POST /join': { body: { mail: 'ann@example.com' } } })

  const [run, escaped] = [await asked(false), await asked(true)]

  expect(run.map(({ check }) => check)).toEqual(['cross-site-scripting'])
  expect(escaped).toEqual([])
})

test('a script in a header that a page shows is not taken for one that is kept', async () => {
  const showing: Handler = ({ headers }) => [200, `<p>You came from ${headers.referer ?? 'nowhere'}</p>`]

  const found = await findingsOf(
    showing,
    ['header-values', 'stored-cross-site-scripting'],
    { 'GET /back': {}, 'GET /home': {} },
    { identities: [] },
  )

  expect(found.map(({ check }) => check)).toEqual(['header-values'])
})

test('signs that a guard refuses, whatever they mean, are no filter of a directory', async () => {
  const guarded: Handler = ({ query }) => {
    const isRefused = (query.get('name') ?? '').includes('&')
    return isRefused
      ? [200, { error: 'These signs are not allowed' }]
      : [200, { content: 'sh: a bracket is unexpected' }]
  }

  const found = await findingsOf(guarded, ['ldap-injection'], { 'GET /people': { query: { name: 'tea' } } })

  expect(found).toEqual([])
})

test('a value that a page shows in another case is what was sent still, and no answer to a condition', async () => {
  const shown: Handler = ({ query }) => [200, `<p>The level is ${(query.get('level') ?? '').toLowerCase()}</p>`]

  const found = await findingsOf(shown, ['ldap-injection', 'sql-injection-boolean'], {
    'GET /settings': { query: { level: 'low' } },
  })

  expect(found).toEqual([])
})

test('an answer that drifts a little from one request to the next follows no condition', async () => {
  let total = 0
  const counting: Handler = () => {
    total += 17
    return [200, `<p>${'tea and cake '.repeat(60)} ${total} pieces for ${total * 3}</p>`]
  }

  const found = await findingsOf(counting, ['ldap-injection', 'sql-injection-boolean'], {
    'GET /basket': { query: { name: 'tea' } },
  })

  expect(found).toEqual([])
})

test("a driver's name in every fault hides no broken statement, and says nothing by itself", async () => {
  const driver = 'javax.servlet.ServletException: java.sql.SQLException: a date is needed'
  const ofDates =
    (isBroken: boolean): Handler =>
    ({ query }) => {
      const since = query.get('since') ?? ''
      const cause = isBroken && since.includes("'") ? 'Syntax error: Encountered "00" at line 1, column 140.' : ''
      return /^[\d-]+$/.test(since) ? [200, { rows: [] }] : [500, `<pre>${driver}\n${cause}</pre>`]
    }
  const asked = (isBroken: boolean, since = '2026-01-15') =>
    findingsOf(ofDates(isBroken), ['sql-injection-error'], { 'GET /rows': { query: { since } } })

  const [broken, failing] = [await asked(true), await asked(true, 'merlon')]
  const bound = [...(await asked(false)), ...(await asked(false, 'merlon'))]

  for (const found of [broken, failing])
    expect(found.map(({ evidence }) => evidence.response)).toEqual([expect.stringContaining('Encountered')])
  expect(bound).toEqual([])
})

test('a statement broken by the value is distinguished from one that every value breaks', async () => {
  const sorted =
    (isAlways: boolean): Handler =>
    ({ query }) => {
      const by = query.get('by') ?? ''
      const isBroken = isAlways || by === 'asc' || /\W/.test(by)
      return [200, isBroken ? 'You have an error in your SQL syntax near it' : '<p>rows</p>']
    }
  const asked = (isAlways: boolean) =>
    findingsOf(sorted(isAlways), ['sql-injection-error'], { 'GET /rows': { query: { by: 'asc' } } })

  const [own, always] = [await asked(false), await asked(true)]

  expect(own.map(({ check }) => check)).toEqual(['sql-injection-error'])
  expect(always).toEqual([])
})

test('an inserted value is detected by a failing term, unless it is stored as text', async () => {
  const failing = ({ body }: { body: unknown }) => {
    const text = body !== null && typeof body === 'object' && 'name' in body ? String(body.name) : ''
    const [, left, right] = /'\|\|\d+\/\((\d+)-(\d+)\)\|\|'$/.exec(text) ?? []
    return (left === undefined && text.includes("'")) || (left !== undefined && left === right)
  }
  const asked = (handle: Handler) =>
    findingsOf(handle, ['sql-injection-boolean'], { 'POST /people': { body: { name: 'tea' } } })

  const joined = await asked((one) => (failing(one) ? [200, 'Something went wrong'] : [201, 'Welcome here']))
  const bound = await asked(() => [201, 'Welcome here'])
  const guarded = await asked(({ body }) => [200, JSON.stringify(body).includes("'") ? 'Refused' : 'Welcome here'])

  expect(joined.map(({ check }) => check)).toEqual(['sql-injection-boolean'])
  expect([...bound, ...guarded]).toEqual([])
})

test('a condition of XPath is followed, which knows its words in small letters alone', async () => {
  const holds = (text: string): boolean | null => {
    const [, letters = '', length = '0', left, right] =
      /^(?:string-length\('(\w+)'\)=(\d+) and )?'(\d+)'='(\d+)$/.exec(text) ?? []
    return left === undefined ? null : letters.length === Number(length) && left === right
  }
  const chosen = (name: string): boolean | null => {
    const [, start = name, word, condition] = /^(\w+)' (and|or) (.+)$/.exec(name) ?? []
    if (word === undefined) return name.includes("'") ? null : name === 'tea'
    const truth = holds(condition ?? '')
    return truth === null ? null : word === 'and' ? start === 'tea' && truth : start === 'tea' || truth
  }
  const service: Handler = ({ query }) => {
    const isChosen = chosen(query.get('name') ?? '')
    return isChosen === null ? [500, 'Failed'] : [200, isChosen ? '<release>1</release>' : '']
  }

  const found = await findingsOf(service, ['sql-injection-boolean'], { 'GET /release': { query: { name: 'tea' } } })

  expect(found.map(({ cwes }) => cwes)).toEqual([[643]])
})

test('the description of a Java application is read from any folder beside its own', async () => {
  const including: Handler = ({ query }) => {
    const page = query.get('page') ?? ''
    return page === '../WEB-INF/web.xml' ? [200, '<web-app version="4"><servlet/></web-app>'] : [200, '<p>Home</p>']
  }

  const found = await findingsOf(including, ['path-traversal'], { 'GET /show': { query: { page: 'home.htm' } } })

  expect(found.map(({ check }) => check)).toEqual(['path-traversal'])
})

test('a call is provoked where a guard refuses the usual spellings of this machine', async () => {
  const guarded: Handler = async ({ query }) => {
    const url = query.get('image') ?? ''
    if (/127\.0|localhost/.test(url)) return [403, { message: 'not allowed' }]
    if (/^http:\/\/\d/.test(url)) await fetch(url).catch(() => null)
    return [202, {}]
  }

  const found = await findingsOf(
    guarded,
    ['request-forgery'],
    { 'GET /thumbnail': { query: { image: 'x' } } },
    { identities: [], listener: { host: '127.0.0.1', ports: [0, 0] } },
  )

  expect(found.map(({ check }) => check)).toEqual(['request-forgery'])
})

test('a program of another host that is run is reported once, and not also as a request', async () => {
  const including: Handler = async ({ query }) => {
    const at = query.get('page') ?? ''
    const program = at.startsWith('http://127.0.0.1:') ? await (await fetch(at)).text() : ''
    const [, left, right] = /print\((\d+)\*(\d+)\)/.exec(program) ?? []
    return [200, `<p>${left ? Number(left) * Number(right) : 'home'}</p>`]
  }

  const found = await findingsOf(
    including,
    ['request-forgery', 'remote-inclusion'],
    { 'GET /show': { query: { page: 'home.php' } } },
    { identities: [], listener: { host: '127.0.0.1', ports: [0, 0] } },
  )

  expect(found.map(({ check }) => check)).toEqual(['remote-inclusion'])
})

test('the proof of a file that comes as base64 is that file, and not a picture beside it', async () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const passwd = encoded('root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1:daemon:/usr/sbin:/bin/sh\n')
  const handing: Handler = ({ query }) => {
    const isAbove = /^(\.\.\/)+etc\/passwd$/.test(query.get('file') ?? '')
    return isAbove ? [200, { logo: encoded('a picture '.repeat(20)), content: passwd }] : [404, {}]
  }

  const [found] = await findingsOf(handing, ['path-traversal'], { 'GET /file': { query: { file: 'a.txt' } } })

  const { response, proof } = found?.evidence ?? { response: '', proof: [] }
  expect(proof.map(({ from, to }) => response.slice(from, to))).toEqual([passwd.slice(0, 80)])
  const whole: Handler = async (asked) => {
    const [status, body] = await handing(asked)
    return [status, status === 200 ? passwd : body, { 'content-type': 'text/plain' }]
  }
  expect(await findingsOf(whole, ['path-traversal'], { 'GET /file': { query: { file: 'a.txt' } } })).toHaveLength(1)
})

test('a page that changes once, when an operator comes by, follows no operator', async () => {
  const list = (news: string) => `<ul>${'<li>tea</li>'.repeat(40)}</ul>${news}`
  const asked = (isLasting: boolean) => {
    let news = 0
    return findingsOf(
      ({ query }) => {
        const isOther = [...query.keys()].includes('name[$ne]') && (isLasting || news++ === 0)
        return [200, list(isOther ? '<p>One message</p>' : '')]
      },
      ['nosql-injection'],
      { 'GET /items': { query: { name: 'tea' } } },
    )
  }

  const [once, always] = [await asked(false), await asked(true)]

  expect(once).toEqual([])
  expect(always.map(({ check }) => check)).toEqual(['nosql-injection'])
})
