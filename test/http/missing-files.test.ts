// A missing stored file, as on a node without the shared objects: whoever requests it is told, and nobody else is affected.

import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { objectPath } from '../../src/core/objects/disk.ts'
import { DIFF, newHome } from '../testkit/deploys.ts'
import { deployed, parts, reviewed } from '../testkit/reviews.ts'
import { objectsDirectory } from '../testkit/service.ts'
import { send } from './send.ts'

const MISSING = 'The file is not in MERLON_DATA/objects, which all nodes share'

async function removeFiles(companyId: string): Promise<void> {
  const { db } = await parts()
  const rows = await db.selectFrom('stored_object').select('object_key').where('company_id', '=', companyId).execute()
  for (const { object_key } of rows) await rm(objectPath(objectsDirectory(), object_key))
}

test('fails the review of a deploy', async () => {
  const home = await newHome()
  const { id } = await deployed(home, DIFF)
  await removeFiles(home.companyId)

  const deploy = await reviewed(home, id)

  expect(deploy.review).toMatchObject({ state: 'FAILED', reason: MISSING })
})

test('is no file that can be downloaded, and no failure of the database', async () => {
  const home = await newHome()
  const { id } = await deployed(home, DIFF)
  await removeFiles(home.companyId)

  const answer = await send({ path: `/deploys/${id}/diff`, method: 'GET', headers: { 'x-api-key': home.key } })

  expect(answer).toMatchObject({
    status: 503,
    errors: [{ message: MISSING, extensions: { code: 'UNAVAILABLE', retryable: false } }],
  })
})
