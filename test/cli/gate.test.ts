// `merlon gate`, run as its own process against the service.

import { describe, expect, test } from 'vitest'
import { run, unique } from '../testkit/client.ts'
import { sast, upsert } from '../testkit/findings.ts'
import { newAsset, newDeploy, newWorld } from '../testkit/world.ts'
import { merlon, merlonJson } from './command.ts'
import { newRepository } from './repository.ts'

/** A deployed commit of a repository of its own, and a way to report findings that the deploy introduces. */
async function newDeployed() {
  const { owner, companyId } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  const repository = newRepository()
  const here = { key: owner.key, cwd: repository.directory }
  const commit = repository.commit({ 'a.ts': 'one\ntwo\nthree\n' })
  const deploy = await merlonJson(['deploy', 'create'], here)
  const report = async (severity: string, extra: Record<string, unknown> = {}): Promise<string> => {
    const finding = sast(Number(asset.id), {
      severity,
      ruleId: unique('rule'),
      branchName: 'main',
      commitRef: commit,
      ...extra,
    })
    return (await upsert(owner.key, finding)).issue.id
  }
  return { key: owner.key, companyId, asset, repository, here, deploy, report }
}

describe('merlon gate', () => {
  test('judges the deploy of the commit that is checked out, and ends with 4 only where it blocks', async () => {
    const { here, deploy, report } = await newDeployed()

    const passed = await merlon(['gate'], here)
    await report('MEDIUM')
    const warned = await merlon(['gate'], here)
    const id = await report('HIGH', { fileName: 'src/deep/a.ts', vulnerableLine: 12, title: 'Too open' })
    const blocked = await merlon(['gate'], here)

    expect(passed).toMatchObject({
      code: 0,
      out: `PASS: Deploy ${deploy.id} on branch main passes the built-in policy. The review of the diff has not finished.\n`,
    })
    expect(warned).toMatchObject({ code: 0, err: '' })
    expect(blocked).toMatchObject({ code: 4, err: '' })
    const [verdict, , head, reason, , , findings, first] = blocked.out.split('\n')
    expect(verdict).toMatch(
      /^BLOCK: Deploy \d+ on branch main is blocked by the built-in policy: 1 introduced finding /,
    )
    expect(head).toMatch(/^DECISION +FOUND +ALLOWED +RULE$/)
    expect(reason).toMatch(/^BLOCK +1 +0 +any introduced finding of CRITICAL or HIGH severity$/)
    expect(findings).toMatch(/^FINDING +SEVERITY +DECISION +PLACE +TITLE$/)
    expect(first).toMatch(new RegExp(`^${id} +HIGH +BLOCK +src/deep/a.ts:12 +Too open$`))
  })

  test('ends the same in every format, and takes a deploy without a repository', async () => {
    const { key, deploy, report } = await newDeployed()
    const id = await report('CRITICAL')
    const words = ['gate', '--deploy', deploy.id]

    const json = await merlon([...words, '--json'], { key })
    const markdown = await merlon([...words, '--format', 'markdown'], { key })
    const sarif = await merlon([...words, '--format', 'sarif'], { key })

    expect([json.code, markdown.code, sarif.code]).toEqual([4, 4, 4])
    expect(JSON.parse(json.out)).toMatchObject({ gate: { decision: 'BLOCK' }, findings: [{ id }], total: 1 })
    expect(markdown.out).toContain('## ⛔ Merlon gate: BLOCK')
    expect(JSON.parse(sarif.out).runs[0].results).toMatchObject([
      { level: 'error', partialFingerprints: { 'merlonFinding/v1': id } },
    ])
  })

  test('finds the deploy also where no branch is checked out, or another one', async () => {
    const { repository, here, deploy } = await newDeployed()
    repository.git('switch', '--quiet', '--detach')
    const detached = await merlonJson(['gate'], here)
    repository.git('switch', '--quiet', '--create', 'other')

    const other = await merlonJson(['gate'], here)

    expect([detached.deploy.id, other.deploy.id]).toEqual([deploy.id, deploy.id])
  })

  test('finds the deploy however many came after it', async () => {
    const { key, asset, here, deploy } = await newDeployed()
    for (let n = 0; n < 100; n += 1) await newDeploy(key, asset.id, '', { branchName: 'main' })

    const judged = await merlonJson(['gate'], here)

    expect(judged.deploy.id).toBe(deploy.id)
  })

  test('judges the deploy that led the branch to the commit, not one that came late', async () => {
    const { key, asset, repository, here, deploy } = await newDeployed()
    const commit = deploy.currentCommit
    repository.commit({ 'b.ts': 'x\n' })
    await merlonJson(['deploy', 'create'], here)
    await newDeploy(key, asset.id, '', { branchName: 'main', currentCommit: commit })

    const ofBranch = await merlonJson(['gate', '--commit', commit, '--branch', 'main'], here)
    repository.git('switch', '--quiet', '--detach')
    const ofAny = await merlonJson(['gate', '--commit', commit], here)

    expect([ofBranch.deploy.id, ofAny.deploy.id]).toEqual([deploy.id, deploy.id])
  })

  test('judges no other branch than the one that is named', async () => {
    const { here, deploy } = await newDeployed()

    const named = await merlonJson(['gate', '--branch', 'main'], here)
    const mistyped = await merlon(['gate', '--branch', 'mian'], here)

    expect(named.deploy.id).toBe(deploy.id)
    expect(mistyped).toMatchObject({ code: 2, out: '' })
    expect(mistyped.err).toContain(
      `${deploy.currentCommit.slice(0, 10)} is not deployed on the branch mian, but on the branch main: `,
    )
  })

  test('of a commit that is not deployed is wrong use', async () => {
    const { repository, here } = await newDeployed()
    const next = repository.commit({ 'b.ts': 'x\n' })

    const { code: ended, err } = await merlon(['gate'], here)

    expect(ended).toBe(2)
    expect(err).toBe(
      `${next.slice(0, 10)} is not deployed: run merlon deploy create first, or name a deploy with --deploy\n`,
    )
  })

  test('shows the first findings and how many more there are, and walks further for programs', async () => {
    const { key, companyId, asset, here, deploy } = await newDeployed()
    const findings = Array.from({ length: 230 }, (_, index) => ({
      sastFinding: sast(Number(asset.id), { severity: 'HIGH', ruleId: `rule ${index}`, deployId: deploy.id }),
    }))
    const push = `mutation ($findings: [CreateOrUpdateFindingPolymorphicInput!]!) {
      batchCreateOrUpdateFindings(input: { findings: $findings }) { findingErrors { message } } }`
    await run(key, push, { findings })

    const table = await merlon(['gate'], here)
    const json = await merlon(['gate', '--json'], here)

    expect(companyId).not.toBe('')
    expect(table.out).toMatch(/…and 180 more\n$/)
    expect(new Set(JSON.parse(json.out).findings.map(({ id }: { id: string }) => id)).size).toBe(230)
  })
})
