// What the text of a script says that it asks, as it is written and as tools leave it.

import { expect, test } from 'vitest'
import { chunksIn, fromScript, routesIn } from '../../src/scanner/seed/scripts.ts'

const asked = (script: string) =>
  fromScript(script, 'http://shop.example/').map(({ method, url, body, fields }) => [
    `${method} ${new URL(url).pathname}`,
    body ? Object.keys(JSON.parse(body)) : (fields?.map(({ name }) => name) ?? null),
  ])

test.each([
  [
    'a function puts the address together',
    'fetch(u("/api/orders"),{method:"POST",body:JSON.stringify({item:a,size:b})})',
  ],
  [
    'the address stands before it',
    'fetch(BASE + "/api/orders", { method: "POST", body: JSON.stringify({ item, size }) })',
  ],
  [
    'a template became calls',
    'fetch("".concat(BASE,"/api/orders"),{method:"POST",body:JSON.stringify({item:a,size:b})})',
  ],
  ['a client has any name', 'Ze.post("/api/orders",{item:a,size:b})'],
  [
    'what is sent stands above',
    'const o={item:1,size:2};n();fetch("/api/orders",{method:"POST",body:JSON.stringify(o)})',
  ],
  [
    'what is sent is the state of a component',
    'const[o,t]=x.useState({item:"",size:""}),p=1;return q(()=>Ze.post("/api/orders",o).then(r))',
  ],
  [
    'its options begin with the method',
    '$.ajax({ type: "POST", url: "/api/orders", data: JSON.stringify({item: a, size: b}) })',
  ],
])('a call is read where %s', (_, script) => {
  expect(asked(script)).toContainEqual(['POST /api/orders', ['item', 'size']])
})

test('a form that a script makes has its own fields, and a file where one is named', () => {
  const script =
    'const a=new FormData;a.append("other",1);send(a);const f=new FormData;f.append("text",t),f.append("attachment",u),' +
    'await fetch(H("/api/letters"),{method:"POST",headers:k(),body:f})'

  const [letter] = fromScript(script, 'http://shop.example/')

  expect(letter?.fields?.map(({ name, fileName }) => [name, fileName])).toEqual([
    ['text', undefined],
    ['attachment', 'merlon.txt'],
  ])
})

test('the method of a call is its own, and not that of the next', () => {
  const script =
    'fetch(H("/api/teas"),{headers:k()});fetch(H("/api/cakes"),{method:"POST",body:JSON.stringify({name:n})})'

  expect(asked(script)).toEqual(
    expect.arrayContaining([
      ['GET /api/teas', null],
      ['POST /api/cakes', ['name']],
    ]),
  )
  expect(asked(script)).not.toContainEqual(expect.arrayContaining(['POST /api/teas']))
})

test('what only has the name of a method is no call', () => {
  expect(asked('m.get("api");s.delete("tea/x y");e.get("code");h.put("a")')).toEqual([])
})

test.each([
  ['o={ab,cd};a.post("/ab",o);', 1],
  ['a.post("/ab",o);', 1],
  ['a.post("/ab.css",o);', 0],
])('a script that repeats one call without an end holds nothing up: %s', (call, count) => {
  const script = call.repeat(Math.floor(1_500_000 / call.length))
  const before = process.cpuUsage().user

  const found = fromScript(script, 'http://shop.example/')

  expect(found).toHaveLength(count)
  expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(8_000)
})

test('pages of a router are told from calls that have a path', () => {
  const script = `[{path:"/orders/:id",element:a(b,{})},{path:"teas",component:T},{path:"*",element:c},{path:"/",element:d}];
    request({path:"/api/x",method:"DELETE",component:1});cookie({path:"/basket"})`

  expect(routesIn(script)).toEqual(['/orders/1', '/teas'])
})

test('scripts that are loaded later are found from the script and from the root', () => {
  const script = 'const d=["assets/Orders-a1.js","assets/Orders.css"];import("./Teas-b2.js");import(`/late.mjs`)'

  expect(chunksIn(script, 'http://shop.example/assets/app.js')).toEqual([
    'http://shop.example/assets/Orders-a1.js',
    'http://shop.example/assets/Teas-b2.js',
    'http://shop.example/late.mjs',
  ])
})

const addressed = (script: string) => fromScript(script, 'http://shop.example:8080/').map(({ url }) => url)

test('an address keeps its port, and what is named in its path is 1', () => {
  expect(addressed('fetch("http://shop.example:8080/api/orders/:id/lines")')).toEqual([
    'http://shop.example:8080/api/orders/1/lines',
  ])
  expect(addressed('fetch("http://shop.example:8080")')).toEqual(['http://shop.example:8080/'])
})

test('what a script puts behind the last slash is 1, and nothing where the address ends there', () => {
  expect(addressed('fetch("/api/orders/" + id)')).toContain('http://shop.example:8080/api/orders/1')
  expect(addressed('fetch("/api/orders/", options)')).toEqual(['http://shop.example:8080/api/orders/'])
})

test('a method belongs to the options that it stands in', () => {
  const script = 'track({ type: "POST" }); $.ajax({ url: "/api/orders", success: show })'

  expect(asked(script)).toContainEqual(['GET /api/orders', null])
})

test('a member of what is sent may have the name of an option', () => {
  expect(asked('fetch("/api/notes", { method: "POST", body: JSON.stringify({ type: t, body: b }) })')).toContainEqual([
    'POST /api/notes',
    ['type', 'body'],
  ])
})

test('a document in a variable is what is sent', () => {
  const [order] = fromScript(
    'var xml = \'<?xml version="1.0"?><order><item>tea</item></order>\'; $.ajax({ url: "/orders", type: "POST", data: xml, success: s })',
    'http://shop.example/',
  )

  expect(order).toMatchObject({
    method: 'POST',
    mediaType: 'text/xml',
    body: '<?xml version="1.0"?><order><item>tea</item></order>',
  })
})
