// Which changes are noted as sensitive, and which are not.

import { expect, test } from 'vitest'
import { reviewDiff } from '../run.ts'
import type { Note } from '../types.ts'
import { sensitive } from './reviewer.ts'

async function notesOf(path: string, body: string): Promise<Note[]> {
  const sides = [...body.matchAll(/^[-+ ]/gm)].map(([mark]) => mark)
  const count = (gone: string) => sides.filter((mark) => mark !== gone).length
  const diff = `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1,${count('+')} +1,${count('-')} @@\n${body}\n`
  const notes: Note[] = []
  const source = (async function* () {
    yield Buffer.from(diff)
  })()
  for await (const found of reviewDiff(source, { key: Buffer.alloc(32), reviewers: [sensitive] })) {
    if (found.kind === 'NOTE') notes.push(found.note)
  }
  return notes
}

test.each([
  ['src/auth/login.ts', '-a\n+b', 'AUTHENTICATION'],
  ['src/users.py', "-x\n+if user.check_password('x'): pass", 'AUTHENTICATION'],
  ['src/UserPermissions.java', '-a\n+b', 'AUTHORIZATION'],
  ['src/Items.java', '-@PreAuthorize("hasRole(\'A\')")\n+', 'AUTHORIZATION'],
  ['src/store.js', "-a\n+const c = crypto.createCipheriv('aes-256-gcm', key, iv)", 'CRYPTOGRAPHY'],
  ['.github/workflows/test.yml', '-a\n+b', 'CI'],
  ['package.json', '-  "x": 1\n+  "postinstall": "node x.js"', 'CI'],
  ['infra/main.tf', '-a\n+b', 'INFRASTRUCTURE'],
  ['Dockerfile', '-FROM a\n+FROM b', 'INFRASTRUCTURE'],
  ['ops/web.yaml', ' kind: Service\n-  a: 1\n+  a: 2', 'INFRASTRUCTURE'],
  ['ops/job.yaml', ' apiVersion: batch/v1\n kind: Job\n-  a: 1\n+  a: 2', 'INFRASTRUCTURE'],
  ['ops/cert.yaml', '+apiVersion: cert-manager.io/v1\n+kind: Certificate', 'INFRASTRUCTURE'],
  ['ops/each.yaml', '+apiVersion: {{ include "api" . }}\n+kind: Thing', 'INFRASTRUCTURE'],
])('%s is noted', async (path, body, area) => {
  const notes = await notesOf(path, body)

  expect(notes).toMatchObject([{ kind: 'SENSITIVE', path, area }])
})

test.each([
  ['docs/auth/login.md', '-a\n+authenticate'],
  ['src/colours.ts', '-a\n+b'],
  ['src/author.ts', '-a\n+the author'],
  ['test/login.test.ts', '-a\n+authenticate(user)'],
  ['src/users.py', ' user.check_password(x)\n-a\n+b'],
  ['data/shapes.yaml', '+kind: circle\n+size: 3'],
  ['data/catalogue.yaml', '+apiVersion: backstage.io/v1alpha1\n+kind: Component'],
  ['data/own.yaml', '+apiVersion: 3\n+kind: Service'],
])('%s is not noted', async (path, body) => {
  expect(await notesOf(path, body)).toEqual([])
})

test('A removed check is told with its old line', async () => {
  const [note] = await notesOf('src/items.ts', '-if (!isAdmin(user)) return\n+go()')

  expect(note?.reason).toBe('It changes authorization: removed line 1 has “isAdmin”.')
})
