// The part of the long trial that takes seconds: the vulnerable service is scanned by its GraphQL description, and so is its mended form.

import { expect, test } from 'vitest'
import { isOf, scanned, ways } from '../operations/scan.ts'
import { flaws } from '../targets/service.ts'

const way = ways.find(({ name }) => name === 'GraphQL')
const ofGraphql = flaws.filter(({ id }) => id.startsWith('graphql-'))

test('nine in ten flaws of its GraphQL are found, and nothing in its mended form', async () => {
  if (way === undefined) throw new Error('The trial has no scan by GraphQL.')

  const broken = await scanned(way)
  const mended = await scanned(way, [])

  const missed = ofGraphql.filter((flaw) => !broken.findings.some((finding) => isOf(flaw, finding)))
  expect(missed.length).toBeLessThanOrEqual(ofGraphql.length / 10)
  expect(mended.findings).toEqual([])
  expect([broken.state, mended.state]).toEqual(['COMPLETED', 'COMPLETED'])
})
