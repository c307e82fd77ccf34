// What was asked of a scanner and does not come to its end: the import says what stood in the way, and so does the error.

import { expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { newTarget, started } from '../../../test/testkit/dynamic-scans.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { newWorld } from '../../../test/testkit/world.ts'
import { ApplicationError } from '../../core/errors.ts'
import { ReportFault, type Row } from '../../reports/types.ts'
import { importRows } from './service.ts'

const IMPORTS = `query ($companyId: ID!, $assetIds: [ID!]) { imports(companyId: $companyId, assetIds: $assetIds) {
  collection { status failure { code message } } } }`

async function newPull() {
  const home = await newTarget('http://127.0.0.1:9/')
  const { owner } = await newWorld()
  const pulled = {
    companyId: home.companyId,
    assetId: home.assetId,
    scanId: await started(home),
    askedBy: {
      userId: owner.id,
      email: owner.email,
      name: 'Somebody',
      keyId: '',
      keyPublicId: '',
      address: '',
      requestId: 'pull',
      operation: 'pull',
    },
    format: 'merlon-scan',
    name: 'a scan',
    isWhole: false,
    confirmClose: false,
  }
  const pull = async (rows: AsyncIterable<Row>) => importRows(await inside(), { ...pulled, rows })
  const imports = async () =>
    (await run(home.key, IMPORTS, { companyId: home.companyId, assetIds: [home.assetId] })).imports.collection
  return { pull, imports }
}

/** Rows that break off before the first, after `meanwhile`. */
async function* failing(error: unknown, meanwhile: () => Promise<unknown> = async () => {}): AsyncGenerator<Row> {
  await meanwhile()
  throw error
}

test('an answer that cannot be read is told as such, as a report would be', async () => {
  const { pull, imports } = await newPull()

  await expect(pull(failing(new ReportFault('The answer ends too soon')))).rejects.toThrow('The answer ends too soon')

  expect(await imports()).toEqual([
    { status: 'FAILED', failure: { code: 'BAD_USER_INPUT', message: 'The answer ends too soon' } },
  ])
})

test('what failed is thrown also where it cannot be noted', async () => {
  const { pull } = await newPull()
  // no text of the database holds this character
  const error = new ApplicationError('CONFLICT', 'The scanner says \0')

  await expect(pull(failing(error))).rejects.toBe(error)
})

test('a pull that is begun anew ends the one before it as a conflict', async () => {
  const { pull, imports } = await newPull()
  const late = new Error('Too late')
  const second = async () => {
    await expect(pull(failing(late))).rejects.toBe(late)
  }

  await expect(pull(failing(late, second))).rejects.toBe(late)

  expect(await imports()).toEqual([
    { status: 'FAILED', failure: { code: 'INTERNAL_SERVER_ERROR', message: 'An unexpected error' } },
    { status: 'FAILED', failure: { code: 'CONFLICT', message: 'It was restarted' } },
  ])
})
