// What a review reports of the code that a deploy changes: risks as findings, sensitive changes beside them.

import { expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { newHome } from '../../../test/testkit/deploys.ts'
import { deployed, reviewed } from '../../../test/testkit/reviews.ts'

const DIFF = `diff --git a/src/auth/users.js b/src/auth/users.js
--- a/src/auth/users.js
+++ b/src/auth/users.js
@@ -10,3 +10,4 @@ app.get('/u', (req, res) => {
   const id = req.query.id
-  db.query('select * from t where id = ?', [id])
+  const sql = 'select * from t where id = ' + id
+  db.query(sql)
   res.end()
`

const FINDINGS = `query ($id: ID!) { deploy(id: $id) { introduced { collection {
  __typename title severity ... on SastFinding { detail { fileName vulnerableLine source sink } } } } } }`
const CHANGES = 'query ($id: ID!) { deploy(id: $id) { sensitiveChanges { path area reason } } }'

test('brings risky code as a finding of the deploy, with its source and its sink', async () => {
  const home = await newHome()
  const { id } = await deployed(home, DIFF)

  await reviewed(home, id)

  const { deploy } = await run(home.key, FINDINGS, { id })
  expect(deploy.introduced.collection).toMatchObject([
    {
      __typename: 'SastFinding',
      title: 'SQL injection',
      severity: 'HIGH',
      detail: {
        fileName: 'src/auth/users.js',
        vulnerableLine: 12,
        source: 'src/auth/users.js:10 const id = req.query.id',
        sink: 'src/auth/users.js:12 db.query(sql)',
      },
    },
  ])
})

test('notes sensitive changes beside its findings', async () => {
  const home = await newHome()
  const { id } = await deployed(home, DIFF)
  const before = (await run(home.key, CHANGES, { id })).deploy.sensitiveChanges

  await reviewed(home, id)

  expect(before).toEqual([])
  expect((await run(home.key, CHANGES, { id })).deploy.sensitiveChanges).toEqual([
    {
      path: 'src/auth/users.js',
      area: 'AUTHENTICATION',
      reason: 'Its path contains “auth”: it changes authentication.',
    },
  ])
})
