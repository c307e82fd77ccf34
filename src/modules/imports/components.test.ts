// Components of bills of materials, and the findings in them.

import { expect, test } from 'vitest'
import { type Data, refusal, run, type SentFile, upload } from '../../../test/testkit/client.ts'
import { newReportHome, type ReportHome, sarif } from '../../../test/testkit/reports.ts'

const IMPORT = 'mutation ($input: ImportSbomInput!) { importSbom(input: $input) }'
const LIST = `query ($companyId: ID!, $search: SbomComponentSearchInput) { sbomComponents(companyId: $companyId, search: $search) {
  collection { id name version asset { id } technology license packageManager purl issuesBySeverity }
  metadata { totalCount } } }`

type Named = { name: string; version?: string; license?: string }

const bom = (components: readonly Named[]): SentFile => ({
  filename: 'bom.json',
  content: JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: components.map(({ name, version = '1.0.0', license }) => ({
      type: 'library',
      name,
      version,
      purl: `pkg:npm/${name}@${version}`,
      ...(license ? { licenses: [{ license: { id: license } }] } : {}),
    })),
  }),
})

const send = async ({ key, companyId, assetId }: ReportHome, file: SentFile, more: object = {}) =>
  upload(key, IMPORT, { input: { companyId, assetId, ...more } }, { 'input.file': file })

const listed = async ({ key, companyId }: ReportHome, search: object = {}): Promise<Data[]> =>
  (await run(key, LIST, { companyId, search })).sbomComponents.collection

const namesOf = (components: Data[]) => components.map(({ name }) => name).sort()

test('a bill of materials lists the components of its asset', async () => {
  const home = await newReportHome()

  const { data, errors } = await send(home, bom([{ name: 'left-pad', license: 'MIT' }, { name: 'lodash' }]), {
    clientMutationId: 'a mark',
  })

  expect(errors).toEqual([])
  expect(data.importSbom).toEqual({
    success: true,
    importId: expect.stringMatching(/^\d+$/),
    clientMutationId: 'a mark',
  })
  const [component] = await listed(home, { name: 'LEFT' })
  expect(component).toMatchObject({
    name: 'left-pad',
    version: '1.0.0',
    license: 'MIT',
    asset: { id: home.assetId },
    purl: 'pkg:npm/left-pad@1.0.0',
    issuesBySeverity: { critical: 0, high: 0, medium: 0, low: 0, notification: 0 },
  })
  expect(namesOf(await listed(home))).toEqual(['left-pad', 'lodash'])
})

test('the next one takes the place of the one before, and of no other scope’s', async () => {
  const home = await newReportHome()
  await send(home, bom([{ name: 'left-pad' }, { name: 'lodash' }]))
  await send(home, bom([{ name: 'react' }]), { scope: 'web' })
  const before = await listed(home, { name: 'lodash' })

  await send(home, bom([{ name: 'lodash' }, { name: 'lodash', version: '2.0.0' }]))

  expect(namesOf(await listed(home))).toEqual(['lodash', 'lodash', 'react'])
  expect(await listed(home, { name: 'lodash', version: '1.0.0' })).toEqual(before)
})

test('a component tells the open findings in its version', async () => {
  const home = await newReportHome()
  await send(home, bom([{ name: 'lodash' }, { name: 'lodash', version: '2.0.0' }]))
  const report = (affectedVersion: string, severity: string) =>
    run(
      home.key,
      `mutation ($input: CreateOrUpdateScaFindingInput!) { createOrUpdateScaFinding(input: $input) { issue { id } } }`,
      {
        input: {
          assetId: Number(home.assetId),
          title: `Weak ${severity}`,
          description: 'd',
          package: 'lodash',
          affectedVersion,
          severity,
        },
      },
    )

  await report('1.0.0', 'HIGH')
  await report('2.0.0', 'CRITICAL')

  const [one] = await listed(home, { version: '1.0.0' })
  const [two] = await listed(home, { version: '2.0.0' })
  expect(one.issuesBySeverity).toEqual({ critical: 0, high: 1, medium: 0, low: 0, notification: 0 })
  expect(two.issuesBySeverity).toEqual({ critical: 1, high: 0, medium: 0, low: 0, notification: 0 })
})

test('a file without components is no bill of materials', async () => {
  const home = await newReportHome()
  await send(home, bom([{ name: 'lodash' }]))

  const { errors } = await send(home, { content: sarif([]), filename: 'a.sarif' })

  expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.file' })
  expect(namesOf(await listed(home))).toEqual(['lodash'])
})

test('components of others are not shown', async () => {
  const [mine, theirs] = [await newReportHome(), await newReportHome()]
  await send(theirs, bom([{ name: 'lodash' }]))

  const failure = await refusal(mine.key, LIST, { companyId: theirs.companyId })

  expect(failure.extensions.code).toBe('NOT_FOUND')
  expect(await listed(mine)).toEqual([])
})
