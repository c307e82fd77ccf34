// How `pip-audit --format json` is read.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { pipAudit } from './reader.ts'

const found = (more: Record<string, unknown> = {}) => ({
  name: 'example',
  version: '1.0.0',
  vulns: [
    {
      id: 'PYSEC-2026-1',
      fix_versions: ['1.0.9', '1.1.0'],
      aliases: ['CVE-2026-1001'],
      description: 'It overflows.',
      ...more,
    },
  ],
})

const report = (...dependencies: unknown[]) => ({ dependencies, fixes: [] })

test('a vulnerability is an observation of the version that is installed', async () => {
  const observations = await observationsIn(pipAudit, report({ name: 'a', version: '1', vulns: [] }, found()))

  expect(observations).toEqual([
    {
      kind: 'COMPONENT',
      type: 'SCA_FINDING',
      toolName: 'pip-audit',
      ruleId: 'PYSEC-2026-1',
      title: 'It overflows.',
      description: 'It overflows.',
      vulnerabilityIds: ['PYSEC-2026-1', 'CVE-2026-1001'],
      reference: 'https://osv.dev/PYSEC-2026-1',
      solution: 'Update example to 1.0.9, 1.1.0.',
      package: 'example',
      affectedVersion: '1.0.0',
      patchedVersion: '1.0.9, 1.1.0',
      packageManager: 'PyPI',
    },
  ])
})

test('one without a description or a fix is named by its id', async () => {
  const observations = await observationsIn(pipAudit, report(found({ description: '', fix_versions: [] })))

  expect(observations).toMatchObject([{ title: 'PYSEC-2026-1 in example' }])
  expect(observations[0]).not.toHaveProperty('solution')
})

test('of a package that was not audited nobody knows what is absent', async () => {
  const rows = await rowsIn(pipAudit, report({ name: 'ours', skip_reason: 'not found' }, { name: 'odd' }))

  expect(rows).toEqual([
    { kind: 'LEFT_OUT', at: 'dependencies[0]', reason: 'ours was not audited: not found', isUndecided: true },
    {
      kind: 'LEFT_OUT',
      at: 'dependencies[1]',
      reason: 'It is not a package, or does not say whether it is vulnerable',
    },
  ])
})

test('is read as it was before version 2, as a list of packages', async () => {
  expect(await observationsIn(pipAudit, [found()])).toMatchObject([{ ruleId: 'PYSEC-2026-1' }])
})

test('is recognised with packages, with none, and as a list', () => {
  const skipped = report({ name: 'ours', skip_reason: 'not found' })

  expect(
    [report(found()), report(), skipped, [found()], { dependencies: [] }].map((each) => recognisedBy(pipAudit, each)),
  ).toEqual([true, true, true, true, false])
})

test('never breaks by what its values are, and keeps its other packages', async () => {
  await fc.assert(
    fc.asyncProperty(
      damaged(report(found(), found()), (path) => path === 'dependencies' || path.startsWith('dependencies.1')),
      async (given) => {
        const rows = await rowsOrFault(pipAudit, given)

        expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'dependencies[1].vulns[0]' }))
      },
    ),
  )
})
