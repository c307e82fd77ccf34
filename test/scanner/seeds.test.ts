// Descriptions become operations: what each format says, values made of what is there, and nothing that a hostile file breaks.

import { expect, test } from 'vitest'
import { requestOf } from '../../src/scanner/points.ts'
import { identityIn, readSchema } from '../../src/scanner/seed/index.ts'
import { ownPassword } from '../../src/scanner/seed/own-password.ts'
import type { Operation } from '../../src/scanner/types.ts'

const target = new URL('http://shop.example:8080/')
const read = (description: object | string) =>
  readSchema(typeof description === 'string' ? description : JSON.stringify(description), null, target) ?? []
const asked = (operations: readonly Operation[]) =>
  operations.map((operation) => {
    const { method, url, body } = requestOf(operation)
    return `${method} ${url.replace('http://shop.example:8080', '')}${body === null ? '' : ` ${body}`}`
  })

test('OpenAPI 3 gives requests of its examples, defaults, enums and names', () => {
  const operations = read({
    openapi: '3.0.1',
    servers: [{ url: 'https://other.example/v1' }],
    security: [{ key: [] }],
    paths: {
      '/users/{id}': {
        parameters: [{ $ref: '#/components/parameters/Id' }],
        get: {
          parameters: [{ name: 'sort', in: 'query', schema: { enum: ['up', 'down'] } }],
          responses: { 200: { description: '' } },
        },
        put: {
          security: [],
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } } },
        },
      },
    },
    components: {
      parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer' }, example: 7 } },
      schemas: {
        User: {
          type: 'object',
          properties: {
            id: { readOnly: true, type: 'integer' },
            email: { type: 'string' },
            boss: { $ref: '#/components/schemas/User' },
          },
        },
      },
    },
  })

  expect(asked(operations)).toEqual(['GET /v1/users/7?sort=up', 'PUT /v1/users/7 {"email":"merlon.scan@example.com"}'])
  expect(operations.map(({ key, kind, requiresAuth }) => [key, kind, requiresAuth])).toEqual([
    ['GET /v1/users/{id}', 'read', true],
    ['PUT /v1/users/{id}', 'update', false],
  ])
})

test('a path whose methods are described alike is asked with two of them, and one of few or of other parameters with each', () => {
  const methods = (all: string[], parameters: object[] = []) =>
    Object.fromEntries(all.map((method) => [method, { operationId: `any-${method}`, parameters }]))
  const any = ['get', 'head', 'post', 'put', 'delete', 'options', 'patch']
  const operations = read({
    swagger: '2.0',
    paths: {
      '/any': methods(any, [{ name: 'q', in: 'query', type: 'string' }]),
      '/few': methods(['get', 'put', 'delete']),
      '/own': { ...methods(any), put: { parameters: [{ name: 'q', in: 'query', type: 'string' }] } },
    },
  })

  const of = (path: string) => operations.filter((one) => one.path === path).map(({ method }) => method)
  expect([of('/any'), of('/few')]).toEqual([
    ['GET', 'POST'],
    ['GET', 'PUT', 'DELETE'],
  ])
  expect(of('/own')).toHaveLength(7)
})

test('Swagger 2 in YAML gives forms, files and bodies', () => {
  const operations = read(`
swagger: '2.0'
basePath: /api
paths:
  /upload:
    post:
      consumes: [multipart/form-data]
      parameters:
        - { name: picture, in: formData, type: file }
        - { name: title, in: formData, type: string, default: tea }
  /login:
    post:
      parameters:
        - { name: body, in: body, schema: { type: object, properties: { username: { type: string, example: ann } } } }
`)

  expect(operations.map(({ key }) => key)).toEqual(['POST /api/upload', 'POST /api/login'])
  expect(operations[0]?.body).toMatchObject({
    type: 'multipart',
    fields: [
      { name: 'picture', fileName: 'merlon.txt' },
      { name: 'title', value: 'tea' },
    ],
  })
  expect(asked(operations.slice(1))).toEqual(['POST /api/login {"username":"ann"}'])
})

test('GraphQL in SDL gives one operation for each root field, with variables and bounded selections', () => {
  const operations = read(`
    type Query { user(id: ID!, like: Filter): User  ping: String }
    type Mutation { createUser(input: NewUser!): User  deleteUser(id: ID!): Boolean }
    input Filter { name: String, and: [Filter!] }
    input NewUser { email: String!, age: Int }
    type User { id: ID!, name: String, friends: [User!]! }
  `)

  expect(operations.map(({ key, kind, isDestructive }) => [key, kind, isDestructive])).toEqual([
    ['POST /#Query.user', 'read', false],
    ['POST /#Query.ping', 'read', false],
    ['POST /#Mutation.createUser', 'create', false],
    ['POST /#Mutation.deleteUser', 'delete', true],
  ])
  expect(operations[0]?.body).toMatchObject({
    query: expect.stringContaining('query($id: ID!, $like: Filter) { user(id: $id, like: $like) { id name friends {'),
  })
  expect(operations[2]?.body).toMatchObject({ variables: { input: { email: 'merlon.scan@example.com', age: 1 } } })
})

test('a WSDL gives an envelope for each operation', () => {
  const operations = read(`<?xml version="1.0"?>
    <definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t">
      <types><x:schema targetNamespace="urn:t" elementFormDefault="qualified"><x:element name="GetUser"><x:complexType><x:sequence><x:element name="userId" type="x:int"/></x:sequence></x:complexType></x:element></x:schema></types>
      <message name="In"><part name="p" element="t:GetUser"/></message>
      <portType name="P"><operation name="GetUser"><input message="t:In"/></operation></portType>
      <binding name="B" type="t:P"><soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/><operation name="GetUser"><soap:operation soapAction="urn:t#GetUser"/></operation></binding>
      <service name="S"><port name="Q" binding="t:B"><soap:address location="http://inner.example/ws"/></port></service>
    </definitions>`)

  expect(operations.map(({ key }) => key)).toEqual(['POST /ws#GetUser'])
  expect(asked(operations)[0]).toContain('<GetUser xmlns="urn:t"><userId>1</userId></GetUser>')
})

test('a WSDL of elements within elements without an end is read as far as it makes sense', () => {
  const nested = `${'<a>'.repeat(40_000)}${'</a>'.repeat(40_000)}`

  const operations = read(
    `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"><types>${nested}</types></definitions>`,
  )

  expect(operations).toEqual([])
})

test('a Postman collection gives its folders, variables and authorization', () => {
  const collection = {
    info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: [
      { key: 'base', value: 'http://shop.example:8080' },
      { key: 'token', value: 'abc' },
    ],
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}' }] },
    item: [
      {
        name: 'folder',
        item: [
          {
            name: 'order',
            request: {
              method: 'POST',
              url: { raw: '{{base}}/orders/:id?x=1', variable: [{ key: 'id', value: '9' }] },
              body: { mode: 'raw', raw: '{"a":"b"}' },
            },
          },
        ],
      },
    ],
  }

  const operations = read(collection)

  expect(operations.map(({ key }) => key)).toEqual(['POST /orders/{orderId}?x'])
  expect(asked(operations)).toEqual(['POST /orders/9?x=1 {"a":"b"}'])
  expect(operations[0]?.requiresAuth).toBe(true)
  expect(identityIn(JSON.stringify(collection))?.headers).toEqual([['Authorization', 'Bearer abc']])
})

test('the keys of a collection’s folders and requests go along with its own, in headers and in queries', () => {
  const key = (name: string, value: string, place: string) => ({
    type: 'apikey',
    apikey: [
      { key: 'key', value: name },
      { key: 'value', value },
      { key: 'in', value: place },
    ],
  })
  const collection = {
    info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    auth: { type: 'bearer', bearer: { token: 'abc' } },
    item: [
      { name: 'stock', auth: key('X-Key', 'k-1', 'header'), item: [{ name: 'a', request: { url: '{{base}}/a' } }] },
      { name: 'b', request: { url: '{{base}}/b', auth: key('api_key', 'k-2', 'query') } },
      { name: 'c', request: { url: '{{base}}/c', auth: key('x-key', 'k-3', 'header') } },
      { name: 'd', request: { url: '{{base}}/d', auth: key('unset', '{{unset}}', 'header') } },
    ],
  }

  expect(identityIn(JSON.stringify(collection))).toMatchObject({
    headers: [
      ['Authorization', 'Bearer abc'],
      ['X-Key', 'k-1'],
    ],
    query: [['api_key', 'k-2']],
  })
})

test('what a Postman collection leaves to its environment is the target, whoever asks, and values by their names', () => {
  const request = (url: string, more = {}) => ({ request: { method: 'POST', url, ...more } })
  const unset = [
    { key: 'X-Key', value: '{{key}}' },
    { key: '', value: '' },
    { key: 'X-Tenant', value: 'north' },
  ]
  const body = { mode: 'raw', raw: '{"user":{"email":"","age":7},"password":""}' }
  const collection = {
    info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [
      request('http://{{host}}/shop/orders', { header: unset, body }),
      request('https://{{host}}:{{port}}/shop/carts'),
      request('{{host}}/shop/goods'),
      request('{{base}}/users'),
    ],
  }

  const operations = readSchema(JSON.stringify(collection), null, new URL('http://shop.example:8080/shop/')) ?? []

  expect(operations.map(({ origin, path }) => origin + path)).toEqual([
    'http://shop.example:8080/shop/orders',
    'http://shop.example:8080/shop/carts',
    'http://shop.example:8080/shop/goods',
    'http://shop.example:8080/shop/users',
  ])
  expect(operations[0]?.parameters.map(({ name, value }) => [name, value])).toEqual([['X-Tenant', 'north']])
  expect(operations[0]?.body).toMatchObject({
    value: { user: { email: 'merlon.scan@example.com', age: 7 }, password: ownPassword },
  })
})

test('the fields of a HAR that has no text of a body are those of its form, files with their names and types', () => {
  const post = (mimeType: string, params: object[]) => ({
    request: { method: 'POST', url: 'http://shop.example/up', postData: { mimeType, params } },
  })
  const named = { name: 'title', value: 'tea & cake' }
  const file = { name: 'file', fileName: 'tea.png', contentType: 'image/png' }

  const operations = read({
    log: {
      entries: [
        post('multipart/form-data; boundary=x', [named, file]),
        post('application/x-www-form-urlencoded', [named]),
      ],
    },
  })

  expect(operations.map(({ body }) => body)).toEqual([
    {
      type: 'multipart',
      fields: [named, { name: 'file', value: 'merlon', fileName: 'tea.png', mediaType: 'image/png' }],
    },
    { type: 'form', fields: [named] },
  ])
})

test('a HAR gives what was asked, without pictures, and lifts the literals of GraphQL into variables', () => {
  const entry = (method: string, url: string, text?: string) => ({
    request: { method, url, headers: [], postData: text ? { mimeType: 'application/json', text } : undefined },
  })

  const operations = read({
    log: {
      entries: [
        entry('GET', 'http://shop.example:8080/logo.png'),
        entry('GET', 'http://shop.example:8080/users/12'),
        entry(
          'POST',
          'http://shop.example:8080/graphql',
          JSON.stringify({ query: '{ user(id: 5, name: "ann") { id } }' }),
        ),
      ],
    },
  })

  expect(operations.map(({ key }) => key)).toEqual(['GET /users/{userId}', 'POST /graphql#Query.user'])
  expect(operations[1]?.body).toMatchObject({ variables: { id: 5, name: 'ann' } })
})

test.each([
  ['words', 'tea and milk'],
  ['another XML', '<a><b/></a>'],
  ['another JSON', '{"a":1}'],
  ['half a JSON', '{"openapi":"3.0.0"'],
])('%s are no description', (_, text) => {
  expect(readSchema(text, null, target)).toBeNull()
})

test('circles, depth and missing parts of a description end', () => {
  const deep = Array.from({ length: 200 }).reduce<object>((inner) => ({ type: 'object', properties: { a: inner } }), {
    type: 'string',
  })

  const operations = read({
    openapi: '3.1.0',
    paths: {
      '/circle': {
        post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } } },
      },
      '/deep': { post: { requestBody: { content: { 'application/json': { schema: deep } } } } },
      '/nowhere': { get: { parameters: [{ $ref: '#/nowhere' }] }, post: { requestBody: { $ref: '#/nowhere' } } },
    },
    components: {
      schemas: {
        A: { allOf: [{ $ref: '#/components/schemas/B' }] },
        B: { allOf: [{ $ref: '#/components/schemas/A' }] },
      },
    },
  })

  expect(operations).toHaveLength(4)
  expect(JSON.stringify(operations).length).toBeLessThan(20_000)
})

/** So many types, each with a member of every one of them. */
const everyOne = <T>(make: (index: number) => T): T[] => Array.from({ length: 30 }, (_, index) => make(index))

test.each<[string, string]>([
  [
    'OpenAPI',
    JSON.stringify({
      openapi: '3.0.0',
      paths: { '/ask': { post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/s/T0' } } } } } } },
      s: Object.fromEntries(
        everyOne((one) => [
          `T${one}`,
          {
            properties: {
              word: { type: 'string' },
              ...Object.fromEntries(everyOne((other) => [`of${other}`, { $ref: `#/s/T${other}` }])),
            },
          },
        ]),
      ),
    }),
  ],
  [
    'GraphQL',
    `type Query { ask(a: T0): String } ${everyOne(
      (one) => `input T${one} { word: String ${everyOne((other) => `of${other}: T${other}`).join(' ')} }`,
    ).join(' ')}`,
  ],
  [
    'WSDL',
    `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"><types><schema>${everyOne(
      (one) =>
        `<complexType name="T${one}"><sequence><element name="word" type="string"/>${everyOne(
          (other) => `<element name="of${other}" type="T${other}"/>`,
        ).join('')}</sequence></complexType>`,
    ).join(
      '',
    )}<element name="Ask"><complexType><sequence><element name="of0" type="T0"/><element ref="Ask"/></sequence></complexType></element></schema></types>
    <message name="M"><part name="p" element="Ask"/></message>
    <portType name="P"><operation name="Ask"><input message="M"/></operation></portType>
    <binding name="B" type="P"><binding style="document"/><operation name="Ask"/></binding>
    <service name="S"><port name="P" binding="B"><address location="/ws"/></port></service></definitions>`,
  ],
])('types of %s that all refer to each other are read as deep as it makes sense, with their own values', (_, text) => {
  const operations = read(text)

  expect(operations).toHaveLength(1)
  expect(JSON.stringify(operations)).toContain('word')
  expect(JSON.stringify(operations).length).toBeLessThan(100_000)
})

test('YAML whose references multiply without an end is no description', () => {
  const doubled = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`)}]`)

  expect(readSchema(`openapi: 3.0.0\npaths: {}\na0: &a0 [x]\n${doubled.join('\n')}`, null, target)).toBeNull()
})

test('a description of many operations shares what they refer to', () => {
  const operations = read({
    openapi: '3.0.0',
    paths: Object.fromEntries(
      everyOne((one) => [
        `/ask${one}`,
        { get: { responses: { 200: { content: { 'application/json': { schema: { $ref: '#/s/Order' } } } } } } },
      ]),
    ),
    s: { Order: { properties: { id: { type: 'integer' } } } },
  })

  expect(new Set(operations.map(({ answers }) => answers[200])).size).toBe(1)
})
