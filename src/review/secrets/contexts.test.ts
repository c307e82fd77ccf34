// The places in which a secret is read: on two lines, in elements, commands, headers, accounts, and in base 64.

import { describe, expect, test } from 'vitest'
import { diffAdding } from '../../../test/testkit/secret-samples.ts'
import { scanSecrets } from './scan.ts'

/** The secrets of a file that is added, each with its line. */
const found = (path: string, ...lines: string[]) =>
  scanSecrets(path, Buffer.from(diffAdding([{ path, lines }]))).map(
    ({ detector, secret, number }) => `${number} ${detector.id} ${secret}`,
  )

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Put together here, so that no file of the project has them as a literal. */
const key = ['q7Rk2', 'vX9m', 'Lz41', 'TnB8', 'wPc'].join('')
const password = ['Vq7', 'nL2x', 'Rk9w'].join('#')

describe('a name and its value', () => {
  test.each([
    ['an element of XML', 'config.xml', `<apiToken>${key}</apiToken>`],
    ['an attribute and its value', 'web.config', `<add key="ApiToken" value="${key}" />`],
    ['a pair of fields', 'task.json', `{ "name": "API_TOKEN", "value": "${key}" }`],
    ['an argument of a command', 'run.sh', `deploy --api-token ${key} --now`],
    ['an argument in quotes', 'run.ps1', `Connect-It -ApiToken '${key}'`],
    ['a line of a container', 'Dockerfile', `ENV API_TOKEN ${key}`],
    ['the query of an address', 'a.ts', `fetch("https://api.example/v1?access_token=${key}&page=1")`],
    ['a header in quotes', 'a.py', `headers = ["X-Api-Token: ${key}"]`],
    ['a scheme before it', 'a.js', `const apiToken = 'Bearer ${key}'`],
    ['a type before the sign', 'a.go', `var apiToken string = "${key}"`],
    ['a type behind the name', 'a.py', `def read(api_token: str = "${key}"):`],
    ['the sign that adds', 'a.php', `$apiToken .= "${key}";`],
    ['a comparison', 'a.rb', `if api_token == "${key}"`],
    ['space alone', 'a.h', `#define API_TOKEN "${key}"`],
    ['quotes within a text', 'a.md', `"{\\"apiToken\\": \\"${key}\\"}"`],
    ['a value where none is set', 'a.py', `os.environ.get("API_TOKEN") or "${key}"`],
    ['a text with line ends', 'a.json', `{"config": "API_TOKEN=${key}\\nDEBUG=1"}`],
  ])('%s', (_, path, line) => {
    const seen = found(path, line)

    expect(seen).toEqual([`1 assigned ${key}`])
  })

  test.each([
    ['an element of XML', 'a.xml', '<apiToken>', `  ${key}`],
    ['a block of YAML', 'a.yaml', 'apiToken: >-', `  ${key}`],
    ['an assignment that goes on', 'a.py', 'API_TOKEN = (', `    "${key}"`],
    ['a name and a value', 'a.yaml', '  - name: API_TOKEN', `    value: ${key}`],
    ['a variable and its default', 'a.tf', 'variable "api_token" {', `  default = "${key}"`],
  ])('on two lines: %s', (_, path, name, value) => {
    const seen = found(path, name, value)

    expect(seen).toEqual([`2 assigned ${key}`])
  })

  test('The key by which a list of elements tells them apart is none, the same under another name is', () => {
    const seen = [...found('a.tsx', `<li key="${key}">`), ...found('a.tsx', `<li apiKey="${key}">`)]

    expect(seen).toEqual([`1 assigned ${key}`])
  })

  test('A kind that needs a name finds it on the line before', () => {
    const token = ['0a8f', '4c1e', '97b2', 'd635', 'e84f', '1c20', '7ab9', 'd3f6'].join('')

    const seen = found('a.xml', '<datadogApiKey>', `  ${token}`, '</datadogApiKey>')

    expect(seen).toEqual([`2 datadog-key ${token}`])
  })

  test('A value that is not part of the change is not told by a name that is', () => {
    const diff = `diff --git a/a.yaml b/a.yaml\n--- a/a.yaml\n+++ b/a.yaml\n@@ -1,1 +1,2 @@\n+  - name: API_TOKEN\n     value: ${key}\n`
    const changed = diff.replace('+  - name', '   - name').replace('     value', '+    value')

    expect(scanSecrets('a.yaml', Buffer.from(diff))).toEqual([])
    expect(scanSecrets('a.yaml', Buffer.from(changed))).toMatchObject([{ secret: key, number: 2 }])
  })

  test.each([
    ['a password under a short name', 'a.env', `DB_PASS=${password}`, password],
    ['of a database account', 'a.sql', `CREATE USER app IDENTIFIED BY '${password}';`, password],
    ['of a login', 'netrc', `machine db.example login app password ${password}`, password],
    ['of a database, in its own file', '.pgpass', `db.internal:5432:app:app:${password}`, password],
    ['in PowerShell', 'a.ps1', `ConvertTo-SecureString '${password}' -AsPlainText -Force`, password],
    [
      'in an address whose user is an address',
      'a.js',
      `'smtps://me@ours.io:${password.replaceAll('#', '_')}@mail.ours.io'`,
      password.replaceAll('#', '_'),
    ],
  ])('%s', (_, path, line, secret) => {
    const seen = found(path, line)

    expect(seen).toHaveLength(1)
    expect(seen[0]?.endsWith(` ${secret}`)).toBe(true)
  })
})

describe('what stands in base 64', () => {
  const body = Buffer.from(Array.from({ length: 96 }, (_, index) => (index * 89 + 41) % 256)).toString('base64')
  const pem = base64(
    `-----BEGIN PRIVATE KEY-----\n${body.slice(0, 64)}\n${body.slice(64)}\n-----END PRIVATE KEY-----\n`,
  )
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = base64(`${part({ alg: 'HS256' })}.${part({ sub: 'service-7' })}.${key}${key}`)
  const login = base64(`deployer:${password}`)

  test.each([
    ['a private key', 'kubeconfig', `    client-key-data: ${pem}`, 'encoded-private-key'],
    ['a web token', 'a.yaml', `  it: ${token}`, 'encoded-web-token'],
    ['a header', 'a.http', `Authorization: Basic ${login}`, 'basic-credentials'],
    [
      "a registry's settings",
      'config.json',
      `{ "auths": { "r.example": { "auth": "${login}" } } }`,
      'basic-credentials',
    ],
    ["a package manager's settings", '.npmrc', `//r.example/:_auth=${login}`, 'basic-credentials'],
  ])('%s', (_, path, line, id) => {
    const seen = found(path, line)

    expect(seen.map((one) => one.split(' ')[1])).toEqual([id])
  })

  test('Of a key that is longer than what is shown of its line nothing is left over', () => {
    const long = base64(`-----BEGIN PRIVATE KEY-----\n${body.repeat(40)}\n-----END PRIVATE KEY-----\n`)

    const seen = scanSecrets('kubeconfig', Buffer.from(diffAdding([{ path: 'kubeconfig', lines: [`it: ${long}`] }])))

    expect(seen.map(({ text, column, secret }) => text.slice(column - 1) === secret)).toEqual([true])
  })

  test('The values of a Kubernetes secret, and of no other object', () => {
    const data = [
      'metadata:',
      '  name: ours',
      'data:',
      `  plain: ${base64('production')}`,
      `  odd: ${base64(password)}`,
    ]

    const secret = found('a.yaml', 'apiVersion: v1', 'kind: Secret', ...data)
    const other = found('a.yaml', 'apiVersion: v1', 'kind: ConfigMap', ...data)

    const sorted = found('a.yaml', 'apiVersion: v1', ...data.slice(2), 'kind: Secret', ...data.slice(0, 2))

    expect(secret).toEqual([`7 kubernetes-secret ${base64(password)}`])
    expect(sorted).toEqual([`4 kubernetes-secret ${base64(password)}`])
    expect(other).toEqual([])
  })

  test('Each object of a list has its own values, told once', () => {
    const item = (kind: string, value: string) => [`  - kind: ${kind}`, '    data:', `      it: ${base64(value)}`]
    const other = [...password].reverse().join('')

    const seen = found(
      'a.yaml',
      'kind: List',
      'items:',
      ...item('Secret', password),
      ...item('ConfigMap', key),
      ...item('Secret', other),
    )

    expect(seen).toEqual([`5 kubernetes-secret ${base64(password)}`, `11 kubernetes-secret ${base64(other)}`])
  })

  test('A certificate, a public key and a header without a password are none', () => {
    const seen = found(
      'kubeconfig',
      `    certificate-authority-data: ${base64(`-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`)}`,
      `Authorization: Basic ${base64('just some words')}`,
      `Authorization: Basic ${base64('user:password')}`,
    )

    expect(seen).toEqual([])
  })
})

test('Of a file that is full of them no more than the bound are looked for, also below their names', () => {
  const pairs = Array.from({ length: 5000 }, (_, at) => ['password =', `  "${password}${at}"`]).flat()
  const manifests = Array.from({ length: 5000 }, (_, at) => [
    '---',
    'kind: Secret',
    'data:',
    `  a: ${base64(password + at)}`,
  ])

  expect(found('a.ini', ...pairs)).toHaveLength(1000)
  expect(found('a.yaml', ...manifests.flat())).toHaveLength(1000)
})

describe('what only looks like one', () => {
  const token = ['4f2a9c', '81e07b', '53d6c0', '9be1f7', '2a84d5', '60'].join('')

  test.each([
    ['a provider within another word', 'a.ts', `const rookTable = '00${key}${key.slice(0, 18)}'`],
    ['a provider whose name ends within a word', 'a.ts', `const sumObj = "suAb3dE5gH7jK9"`],
    ['a key of a table', 'a.ts', `const cacheKey = '${token}'`],
    ['the hash of a password', 'a.yml', `password: "$6$${key}$${key}${key}"`],
    ['a token of a form', 'a.html', `<input name="authenticity_token" value="${key}">`],
    ['a text in another script', 'ja.json', '"pass": "要素に問題はありません1"'],
    ['a sentence', 'a.py', `"found (identified by their number) in it"`],
    ['a file with a mark behind its name', 'a.html', `<img src="/box.ico-${token.slice(0, 32)}.png">`],
    ['a name of a keyboard', 'a.js', "if (event.key === 'UIKeyInputUpArrowLeft')"],
    ['a name in code with a number', 'a.yml', 'adminPassword: oauth2ClientSecret'],
    ['a name of a field with a number', 'a.java', 'String password = "db2PasswordField";'],
    ['a name of a tag', 'a.html', '<img src="2018-250-xoxo-indieweb-1.jpg">'],
  ])('%s', (_, path, line) => {
    expect(found(path, line)).toEqual([])
  })
})
