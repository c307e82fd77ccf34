// `merlon threat-model import`, run as its own process against the service.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newWorld } from '../testkit/world.ts'
import { merlon, merlonJson } from './command.ts'

const MODEL = `otmVersion: 0.2.0
project: { name: Shop, id: shop }
threats:
  - { id: t1, name: Pages take scripts, cwes: [CWE-79], risk: { likelihood: 1, impact: 9 } }
  - { id: t2, risk: { impact: 1 } }
`

test('a model is imported and printed as a table, and the same file again changes nothing', async () => {
  const { owner } = await newWorld()
  const directory = mkdtempSync(join(tmpdir(), 'merlon-model-'))
  const [file, broken] = [join(directory, 'shop.yaml'), join(directory, 'broken.yaml')]
  writeFileSync(file, MODEL)
  writeFileSync(broken, 'a: b: c')

  const { code, out } = await merlon(['threat-model', 'import', file], { key: owner.key })
  const again = await merlonJson(['threat-model', 'import', file], { key: owner.key })
  const refused = await merlon(['threat-model', 'import', broken], { key: owner.key })

  expect(code).toBe(0)
  expect(out).toMatch(/^ID +OUTCOME +REQUIREMENT +CHECKS\n\d+ +CREATED +Pages take scripts +CAPEC-63 UNKNOWN/)
  expect(out).toContain('Left out: t2: It has no name\nShop: 1 created, 0 updated, 0 unchanged\n')
  expect(again).toMatchObject({ createdCount: 0, unchangedCount: 1 })
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('The file is not valid YAML')
})
