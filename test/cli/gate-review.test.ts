// `merlon gate` waits for the review of the deploy's diff, as long as it is told.

import { expect, test } from 'vitest'
import { runReview } from '../../src/modules/reviews/jobs.ts'
import { newHome } from '../testkit/deploys.ts'
import { deployed, parts, tokenOfKind } from '../testkit/reviews.ts'
import { diffAdding } from '../testkit/secret-samples.ts'
import { merlon } from './command.ts'

const leak = diffAdding([{ path: 'src/client.ts', lines: [`open('${tokenOfKind('github-personal-token')}')`] }])

test('the gate counts what the review finds while it is waited for', async () => {
  const home = await newHome()
  const { id } = await deployed(home, leak)
  const environment = { MERLON_GATE_WAIT: '60' }

  const asking = merlon(['gate', '--deploy', id], { key: home.key, environment })
  await runReview(await parts(), { companyId: home.companyId, id })
  const { code, out } = await asking

  expect(code).toBe(4)
  expect(out).toContain('GitHub personal access token in the code')
})

test('the gate says when the review has not ended in time, and answers all the same', async () => {
  const home = await newHome()
  const { id } = await deployed(home, leak)

  const { code, err } = await merlon(['gate', '--deploy', id, '--wait', '1'], { key: home.key })

  expect(code).toBe(0)
  expect(err).toBe("The review of the deploy's diff has not ended; what it would have found is not counted\n")
})
