// `merlon gate` waits for the review of the deploy's diff for as long as it is told.

import { expect, test } from 'vitest'
import { runImport } from '../../src/modules/imports/jobs.ts'
import { runReview } from '../../src/modules/reviews/jobs.ts'
import { newHome } from '../testkit/deploys.ts'
import { large } from '../testkit/large-reports.ts'
import { result, taken } from '../testkit/reports.ts'
import { deployed, parts, tokenOfKind } from '../testkit/reviews.ts'
import { diffAdding } from '../testkit/secret-samples.ts'
import { merlon } from './command.ts'

const report = large([result(1, { level: 'error' })])
const harmless = diffAdding([{ path: 'src/client.ts', lines: ['open()'] }])
const leak = diffAdding([{ path: 'src/client.ts', lines: [`open('${tokenOfKind('github-personal-token')}')`] }])

test('the gate counts what the review finds while it is waited for', async () => {
  const home = await newHome()
  const { id } = await deployed(home, leak)
  const environment = { MERLON_GATE_WAIT: '60' }

  const asking = merlon(['gate', '--deploy', id], { key: home.key, environment })
  await runReview(await parts(), { companyId: home.companyId, id })
  const { code, out } = await asking

  expect(code).toBe(4)
  expect(out).toContain('GitHub personal access token in source code')
})

test('the gate says when the review has not ended in time, and answers all the same', async () => {
  const home = await newHome()
  const { id } = await deployed(home, leak)

  const { code, out, err } = await merlon(['gate', '--deploy', id, '--wait', '1'], { key: home.key })

  expect(code).toBe(0)
  expect(out).toMatch(/^PASS: .* The review of the diff has not finished\.\n$/)
  expect(err).toBe(
    "Waiting for the review of the deploy's diff (at most 1 second)\n" +
      "The review of the deploy's diff has not finished; what it would have found is not counted\n",
  )
})

test('the gate waits for the imports of its branch, and counts what they bring', async () => {
  const home = await newHome()
  const { id } = await deployed(home, harmless)
  await runReview(await parts(), { companyId: home.companyId, id })
  const { id: importId } = await taken(home, report, { branchName: 'main', deployId: id })
  const impatient = await merlon(['gate', '--deploy', id, '--wait', '1'], { key: home.key })

  const waiting = Promise.withResolvers<void>()
  const asking = merlon(['gate', '--deploy', id, '--wait', '60'], {
    key: home.key,
    onStart: ({ stderr }) => void stderr?.once('data', () => waiting.resolve()),
  })
  await Promise.race([waiting.promise, asking])
  await runImport(await parts(), { companyId: home.companyId, id: importId })
  const { code, out, err } = await asking

  const notEnded = `Import ${importId} has not ended`
  expect(impatient).toMatchObject({ code: 0, out: expect.stringContaining(notEnded) })
  expect(impatient.err).toBe(
    `Waiting for 1 import of the deploy's branch (at most 1 second)\n${notEnded}; what its report brings is not counted\n`,
  )
  expect(code).toBe(4)
  expect(out).not.toContain('has not ended')
  expect(err).toBe("Waiting for 1 import of the deploy's branch (at most 60 seconds)\n")
})

test('the gate ends with 4 without a review where one is required', async () => {
  const home = await newHome()
  const { id } = await deployed(home, leak)

  const { code, out } = await merlon(['gate', '--deploy', id, '--require-review'], { key: home.key })

  expect(code).toBe(4)
  expect(out).toContain('PASS: ')
})

test('the gate of a deploy whose diff could not be read ends with 4, and says so in every format', async () => {
  const home = await newHome()
  const { id } = await deployed(home, 'nothing of the kind')
  const ask = (format: string) => merlon(['gate', '--deploy', id, '--format', format], { key: home.key })

  const table = await ask('table')
  const json = await ask('json')
  const markdown = await ask('markdown')
  const sarif = await ask('sarif')

  const why = 'The diff could not be read: The content holds no file of a git or unified diff.'
  expect([table, json, markdown, sarif].map(({ code }) => code)).toEqual([4, 4, 4, 4])
  expect(table.out).toBe(
    `NOT JUDGED: Deploy ${id} on branch main is not judged, although no rule of the built-in policy is violated. ${why}\n`,
  )
  expect(JSON.parse(json.out).gate).toMatchObject({ decision: 'PASS', isJudged: false, unknown: [why] })
  expect(markdown.out).toContain('## ❔ Merlon gate: NOT JUDGED')
  expect(markdown.out).toContain(`\n> \`${why}\`\n`)
  expect(JSON.parse(sarif.out).runs[0].invocations).toEqual([
    { executionSuccessful: false, toolExecutionNotifications: [{ level: 'warning', message: { text: why } }] },
  ])
})
