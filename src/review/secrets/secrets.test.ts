// Which secrets a diff's review tells of, how severe they are, and that no value of one is told.

import { describe, expect, test } from 'vitest'
import { chanceOf, diffAdding, tokenOf } from '../../../test/testkit/secret-samples.ts'
import { reviewDiff } from '../run.ts'
import { kinds } from './kinds/index.ts'
import { secrets } from './reviewer.ts'

const key = Buffer.alloc(32, 7)

async function observed(diff: string, under = key) {
  async function* bytes() {
    yield Buffer.from(diff)
  }
  const found = await Array.fromAsync(reviewDiff(bytes(), { key: under, reviewers: [secrets] }))
  return found.flatMap((one) => (one.kind === 'OBSERVATION' ? [one.observation] : []))
}

const added = (path: string, ...lines: string[]) => observed(diffAdding([{ path, lines }]))

function token(id: string): string {
  const kind = kinds.find((each) => each.id === id)
  if (!kind) throw new Error(`There is no kind ${id}`)
  return tokenOf(kind, chanceOf(5))
}

const github = token('github-personal-token')
const password = ['Vq7', 'nL2x', 'Rk9w'].join('#')

describe('secrets that a diff adds', () => {
  test('A token is told with its kind, its place and how to answer it, and its value is masked', async () => {
    const found = await added('src/client.ts', 'first', `const client = open('${github}')`)

    expect(found).toMatchObject([
      {
        type: 'SECRET_FINDING',
        ruleId: 'secret/github-personal-token',
        title: 'GitHub personal access token in source code',
        severity: 'HIGH',
        cweIds: [798],
        fileName: 'src/client.ts',
        line: 2,
        column: 22,
        codeSnippet: `const client = open('ghp*****${github.slice(-2)}')`,
      },
    ])
    expect(JSON.stringify(found)).not.toContain(github.slice(4, 30))
  })

  test('Of a line with two secrets neither is shown', async () => {
    const slack = token('slack-bot-token')

    const found = await added('deploy.sh', `A=${github} B=${slack}`)

    expect(found).toHaveLength(2)
    expect(JSON.stringify(found)).not.toContain(github.slice(4, 30))
    expect(JSON.stringify(found)).not.toContain(slack.slice(6, 30))
  })

  test('The same secret at several lines of a file is one finding with its other places', async () => {
    const found = await added('deploy.sh', `A=${github}`, 'next', `B=${github}`)

    expect(found).toMatchObject([{ line: 1, otherPlaces: [{ fileName: 'deploy.sh', line: 3 }] }])
  })

  test('The fingerprint is the same for the same secret and place, and another one under another key', async () => {
    const diff = diffAdding([{ path: 'deploy.sh', lines: [`A=${github}`] }])

    const [one, again, other] = [await observed(diff), await observed(diff), await observed(diff, Buffer.alloc(32, 8))]

    expect(again[0]?.fingerprint).toBe(one[0]?.fingerprint)
    expect(other[0]?.fingerprint).not.toBe(one[0]?.fingerprint)
  })

  test('In a test or an example it counts less', async () => {
    const found = await Promise.all(
      ['src/a.ts', 'test/a.ts', 'docs/start.md', 'src/a.test.ts', '.env.example'].map((path) =>
        added(path, `x = "${github}"`),
      ),
    )

    expect(found.map(([one]) => one?.severity)).toEqual(['HIGH', 'LOW', 'LOW', 'LOW', 'LOW'])
  })

  test('A comment on its line or on the line before allows it', async () => {
    const found = await added(
      'src/a.ts',
      `const one = '${github}' // merlon:allow it opens nothing`,
      '// merlon:allow it opens nothing',
      `const two = '${github}'`,
    )

    expect(found).toEqual([])
  })

  test('A comment that is taken away, or that ends another hunk, allows nothing', async () => {
    const head = 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n'
    const secret = `const one = '${github}'`
    const linesOf = async (body: string) => (await observed(`${head}${body}\n`)).map(({ line }) => line)

    expect(await linesOf(`@@ -1,2 +1,2 @@\n-// merlon:allow an old one\n+${secret}\n x()`)).toEqual([1])
    expect(await linesOf(`@@ -1,0 +1,1 @@\n+// merlon:allow what follows\n@@ -8,0 +9,1 @@\n+${secret}`)).toEqual([9])
    expect(await linesOf(`@@ -1,1 +1,2 @@\n // merlon:allow\n-old()\n+${secret}`)).toEqual([])
  })

  test('Values that stand for a secret are none', async () => {
    const found = await added(
      'config/app.yaml',
      'aws_access_key_id: AKIAIOSFODNN7EXAMPLE',
      `password: "\${DB_PASSWORD}"`,
      'api_key: "your-api-key-goes-here-1234"',
      'token: "{{ vault.token }}"',
      `secret: "${'x'.repeat(32)}"`,
      'database: postgres://user:password@localhost/app',
      'github: ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    )

    expect(found).toEqual([])
  })

  test('A password that is assigned is told, and words, paths and code are not', async () => {
    const found = await added(
      'src/settings.ts',
      `const dbPassword = '${password}'`,
      `const passwordField = 'input-password-field-2'`,
      `const tokenUrl = 'https://example.org/oauth2/token/v2.0'`,
      `const secret = process.env.SESSION_SECRET_KEY_2`,
      `const label = { password: 'Enter your password', resetToken: 'reset-token-1' }`,
      `const apiKey = settings['api-key-of-2024']`,
    )

    expect(found).toMatchObject([{ ruleId: 'secret/assigned', line: 1, severity: 'MEDIUM' }])
  })

  test('A private key is told by its body, and a header alone is not one', async () => {
    const body = token('aws-session-token').slice(0, 64)

    const found = await added(
      'deploy/id_rsa',
      '-----BEGIN RSA PRIVATE KEY-----',
      body,
      [...body].reverse().join(''),
      '-----END RSA PRIVATE KEY-----',
      `const isKey = text.startsWith('-----BEGIN PRIVATE KEY-----')`,
    )

    expect(found).toMatchObject([{ ruleId: 'secret/private-key', line: 1 }])
    expect(JSON.stringify(found)).not.toContain(body.slice(5, 30))
  })

  test('Passwords in addresses and connection strings are told', async () => {
    const found = await added(
      'app.properties',
      `spring.url=postgres://service:${password.replaceAll('#', '')}@db.internal:5432/app`,
      `ado=Server=db.internal;Database=app;User Id=service;Password=${password.replaceAll('#', '.')};`,
    )

    expect(found.map(({ ruleId }) => ruleId)).toEqual([
      'secret/password-in-address',
      'secret/password-in-connection-string',
    ])
  })

  test('A web token is told, and the one that every page shows is not', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signature = token('circleci-token').slice(0, 36)
    const real = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: 'service-7', scope: 'admin' })}.${signature}`
    const shown = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: '1234567890', name: 'John Doe' })}.${signature}`

    const found = await added('src/a.py', `open("${real}")`, `open("${shown}")`)

    expect(found).toMatchObject([{ ruleId: 'secret/json-web-token', line: 1 }])
  })
})

describe('secrets that a diff does not add', () => {
  const changed = (...lines: string[]) => {
    const count = (mark: string) => lines.filter((line) => line.startsWith(mark) || line.startsWith(' ')).length
    return observed(
      `diff --git a/a.sh b/a.sh\n--- a/a.sh\n+++ b/a.sh\n@@ -1,${count('-')} +1,${count('+')} @@\n${lines.join('\n')}\n`,
    )
  }

  test('One in a line around the change is not told', async () => {
    const found = await changed(` A=${github}`, '+next')

    expect(found).toEqual([])
  })

  test('One in a removed line has leaked all the same, and counts a step less', async () => {
    const found = await changed(`-A=${github}`, ' next')

    expect(found).toMatchObject([
      {
        title: 'GitHub personal access token in the history, removed in this change',
        severity: 'MEDIUM',
        tags: ['removed'],
      },
    ])
    expect(found[0]?.line).toBeUndefined()
  })

  test('One that moves within its file is told once, where it is now', async () => {
    const found = await changed(`-A=${github}`, ' next', `+B=${github}`)

    expect(found).toMatchObject([{ line: 2, tags: undefined }])
  })
})
