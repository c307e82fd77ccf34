// Lists of findings by severity, whichever are asked for together.

import { expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { newIssue, withAsset } from '../../../test/testkit/world.ts'
import { severities } from '../../core/issue-words.ts'

const LIST = `query ($companyId: ID!, $severities: [SeverityCategory!], $order: SortOrder!) {
  issues(companyId: $companyId, filters: { severities: $severities }, sortOptions: [{ field: SEVERITY, order: $order }], pagination: {}) {
    collection { severity } metadata { totalCount } } }`

test('findings of any of the severities that are asked for are listed, with gaps between them or without', async () => {
  const { companyId, owner, asset } = await withAsset()
  for (const severity of severities) await newIssue(owner.key, asset.id, { severity, title: severity })
  const subsets = Array.from({ length: 2 ** severities.length - 1 }, (_, number) =>
    severities.filter((_, place) => (number + 1) & (1 << place)),
  )

  for (const wanted of subsets) {
    // as they may be asked for: in any order, and twice
    const asked = [...wanted].reverse().flatMap((one) => [one, one])
    for (const [order, expected] of [
      ['ASC', wanted],
      ['DESC', wanted.toReversed()],
    ] as const) {
      const { issues } = await run(owner.key, LIST, { companyId, severities: asked, order })
      expect(issues.collection.map(({ severity }: { severity: string }) => severity)).toEqual(expected)
      expect(issues.metadata.totalCount).toBe(wanted.length)
    }
  }
})
