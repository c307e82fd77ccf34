// Each published operation as the specification shows it: its input, its selection, and its answer.

import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { administratorKey, ask, type Data, refusal, run, upload } from '../testkit/client.ts'
import { emptyTree, newAsset, newIssue, newProject, newWorld, type World } from '../testkit/world.ts'
import { inlineFile } from './samples/types.ts'

const PAGE = 'metadata { currentPage limitValue totalCount }'

const isDecimal = expect.stringMatching(/^[1-9]\d*$/)

let world: World
let asset: { id: string; name: string }

beforeAll(async () => {
  world = await newWorld()
  asset = await newAsset(world.owner.key, world.companyId)
})

const read = (query: string, variables: Record<string, unknown> = {}): Promise<Data> =>
  run(world.owner.key, query, variables)

/** A mutation in the specification's form, with a clientMutationId that must be echoed. */
async function write(name: string, type: string, input: object, select: string): Promise<Data> {
  const mark = randomBytes(4).toString('hex')
  const data = await read(`mutation ($input: ${type}!) { ${name}(input: $input) { clientMutationId ${select} } }`, {
    input: { ...input, clientMutationId: mark },
  })
  expect(data[name].clientMutationId).toBe(mark)
  return data[name]
}

describe('where identifiers come from', () => {
  test('companies, assets and integrations give them in data.<operation>.collection[].id', async () => {
    const { companies } = await read(
      '{ companies { collection { id } metadata { currentPage limitValue totalCount } } }',
    )
    const { assets, integrations } = await read(
      `query ($companyId: ID!) { assets(companyId: $companyId) { collection { id name } }
        integrations(companyId: $companyId) { collection { id } ${PAGE} } }`,
      { companyId: world.companyId },
    )

    expect(companies).toEqual({
      collection: [{ id: world.companyId }],
      metadata: { currentPage: 1, limitValue: 10, totalCount: 1 },
    })
    expect(assets.collection).toEqual([asset])
    expect(integrations).toEqual({ collection: [], metadata: { currentPage: 1, limitValue: 10, totalCount: 0 } })
  })
})

describe('queries', () => {
  test('sslCertificateCredits gives all, or only those that are available', async () => {
    const grant = (allowsWildcard: boolean) =>
      run(
        administratorKey(),
        'mutation ($input: GrantSslCertificateCreditsInput!) { grantSslCertificateCredits(input: $input) { sslCertificateCredits { id } } }',
        { input: { companyId: world.companyId, count: 1, allowsWildcard } },
      )
    await grant(true)
    const used = (await grant(false)).grantSslCertificateCredits.sslCertificateCredits[0].id
    await write(
      'useSslCertificateCredit',
      'UseSslCertificateCreditInput',
      { id: used, domain: 'a.example.test' },
      'sslCertificateCredit { id }',
    )
    const query = `query ($companyId: ID!, $onlyAvailable: Boolean) {
      sslCertificateCredits(companyId: $companyId, onlyAvailable: $onlyAvailable) { id status allowsWildcard } }`

    const all = await read(query, { companyId: world.companyId })
    const available = await read(query, { companyId: world.companyId, onlyAvailable: true })

    expect(all.sslCertificateCredits).toEqual([
      { id: used, status: 'USED', allowsWildcard: false },
      { id: isDecimal, status: 'AVAILABLE', allowsWildcard: true },
    ])
    expect(available.sslCertificateCredits).toEqual([{ id: isDecimal, status: 'AVAILABLE', allowsWildcard: true }])
  })

  test('deploysByProjectId gives the deploys of the project between two moments', async () => {
    const project = await newProject(world.owner.key, world.companyId, { assetsIds: [Number(asset.id)] })
    const commits = { previousCommit: emptyTree, currentCommit: randomBytes(20).toString('hex') }
    const input = { assetId: asset.id, diffContent: inlineFile('', 'a.diff'), branchName: 'main', ...commits }
    const { deploy } = await write('createDeploy', 'CreateDeployInput', input, 'deploy { id }')
    const span = { initialDate: '2026-01-01T00:00:00Z', finishDate: '2099-01-01T00:00:00Z' }

    const { deploysByProjectId } = await read(
      `query ($id: ID!, $initialDate: ISO8601DateTime!, $finishDate: ISO8601DateTime!, $page: Int, $limit: Int) {
        deploysByProjectId(id: $id, initialDate: $initialDate, finishDate: $finishDate, page: $page, limit: $limit) {
          collection { id status branchName } ${PAGE} } }`,
      { id: project.id, ...span },
    )

    expect(deploysByProjectId).toEqual({
      collection: [{ id: deploy.id, status: 'PENDING', branchName: 'main' }],
      metadata: { currentPage: 1, limitValue: 10, totalCount: 1 },
    })
  })

  test('ticketDomainStats counts the tickets of a type in each domain', async () => {
    const ticket = { companyId: world.companyId, type: 'BUG', title: 'Broken', description: 'How', domainName: 'Shop' }
    await write('createTicket', 'CreateTicketInput', ticket, 'ticket { id }')
    await write('createTicket', 'CreateTicketInput', ticket, 'ticket { id }')
    const query = `query ($companyId: ID!, $ticketType: TicketTypeEnum!, $params: TicketSearch) {
      ticketDomainStats(companyId: $companyId, ticketType: $ticketType, params: $params) { count domain { id name } } }`

    const bugs = await read(query, { companyId: world.companyId, ticketType: 'BUG', params: {} })
    const wishes = await read(query, { companyId: world.companyId, ticketType: 'FEATURE_REQUEST' })

    expect(bugs.ticketDomainStats).toEqual([{ count: 2, domain: { id: isDecimal, name: 'Shop' } }])
    expect(wishes.ticketDomainStats).toEqual([])
  })

  test('attachments gives those of the company, and narrows them to a finding and to an origin', async () => {
    const issue = await newIssue(world.owner.key, asset.id)
    const give = async (more: object) =>
      (
        await write(
          'createAttachment',
          'CreateAttachmentInput',
          { companyId: world.companyId, archive: inlineFile('a note'), ...more },
          'attachment { id }',
        )
      ).attachment.id
    const ofCompany = await give({})
    const ofIssue = await give({ issueId: issue.id })
    const query = `query ($scopeId: ID!, $issueId: ID, $projectId: ID, $page: Int, $limit: Int,
        $search: AttachmentsSearch, $origin: String) {
      attachments(scopeId: $scopeId, issueId: $issueId, projectId: $projectId, page: $page, limit: $limit,
          search: $search, origin: $origin) {
        collection { id allowedPortalUsers { id } archiveContentType } ${PAGE} } }`
    const shown = (id: string) => ({ id, allowedPortalUsers: [], archiveContentType: 'text/plain' })

    const all = await read(query, { scopeId: world.companyId, page: 1, limit: 5, search: {} })
    const narrowed = await read(query, { scopeId: world.companyId, issueId: issue.id, origin: 'issue' })

    expect(all.attachments).toEqual({
      collection: [shown(ofIssue), shown(ofCompany)],
      metadata: { currentPage: 1, limitValue: 5, totalCount: 2 },
    })
    expect(narrowed.attachments.collection).toEqual([shown(ofIssue)])
  })
})

describe('mutations', () => {
  test('createOrUpdateSastFinding takes its seven fields, the asset as a number, and knows the finding again', async () => {
    const input = {
      assetId: Number(asset.id),
      title: 'SQL injection',
      description: 'Input reaches a statement',
      codeSnippet: 'db.query("select " + input)',
      vulnerableLine: 12,
      firstLine: 10,
      fileName: 'src/shop.js',
    }
    const select = 'issue { id title status }'

    const first = await write('createOrUpdateSastFinding', 'CreateOrUpdateSastFindingInput', input, select)
    const second = await write('createOrUpdateSastFinding', 'CreateOrUpdateSastFindingInput', input, select)

    expect(first.issue).toEqual({ id: isDecimal, title: 'SQL injection', status: 'CREATED' })
    expect(second.issue).toEqual(first.issue)
  })

  test('createThreatModelingRequirements makes a check for each attack pattern', async () => {
    const requirements = [{ label: 'Inputs are checked', capecIds: ['66', 'CAPEC-63'] }]

    const made = await write(
      'createThreatModelingRequirements',
      'CreateThreatModelingRequirementsInput',
      { companyId: world.companyId, requirements },
      'requirements { id label check { id label } }',
    )

    expect(made.requirements).toEqual([
      {
        id: isDecimal,
        label: 'Inputs are checked',
        check: [
          { id: isDecimal, label: 'CAPEC-66: SQL Injection' },
          { id: isDecimal, label: 'CAPEC-63: Cross-Site Scripting (XSS)' },
        ],
      },
    ])
  })

  test('createDeploy takes a file and two commits', async () => {
    const commits = { previousCommit: randomBytes(20).toString('hex'), currentCommit: randomBytes(20).toString('hex') }

    const { data, errors } = await upload(
      world.owner.key,
      `mutation ($input: CreateDeployInput!) { createDeploy(input: $input) {
        clientMutationId deploy { id status branchName } } }`,
      { input: { assetId: asset.id, ...commits, clientMutationId: 'mine' } },
      { 'input.diffContent': { content: '', filename: 'change.diff' } },
    )

    expect(errors).toEqual([])
    expect(data.createDeploy).toEqual({
      clientMutationId: 'mine',
      deploy: { id: isDecimal, status: 'PENDING', branchName: null },
    })
  })

  test('createAttachment takes a file of the company', async () => {
    const { data, errors } = await upload(
      world.owner.key,
      `mutation ($input: CreateAttachmentInput!) { createAttachment(input: $input) {
        clientMutationId attachment { id allowedPortalUsers { id name } archiveContentType } } }`,
      { input: { companyId: world.companyId, clientMutationId: 'mine' } },
      { 'input.archive': { content: '%PDF-1.7', filename: 'report.pdf', type: 'application/pdf' } },
    )

    expect(errors).toEqual([])
    expect(data.createAttachment).toEqual({
      clientMutationId: 'mine',
      attachment: { id: isDecimal, allowedPortalUsers: [], archiveContentType: 'application/pdf' },
    })
  })

  test('deleteSecret answers with the id, and needs it', async () => {
    const secret = { companyId: world.companyId, name: 'A secret', type: 'BEARER_TOKEN', values: { token: 'abc' } }
    const { id } = (await write('createSecret', 'CreateSecretInput', secret, 'secret { id }')).secret

    const failure = await refusal(
      world.owner.key,
      'mutation ($input: DeleteSecretInput!) { deleteSecret(input: $input) { clientMutationId id } }',
      { input: { companyId: world.companyId } },
    )
    const deleted = await write('deleteSecret', 'DeleteSecretInput', { companyId: world.companyId, id }, 'id')

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.id' })
    expect(deleted.id).toBe(id)
  })

  test('updateSeal answers with the seal, also when nothing but its id is given', async () => {
    const { id } = (await write('createSeal', 'CreateSealInput', { assetId: asset.id }, 'seal { id }')).seal

    const { seal } = await write('updateSeal', 'UpdateSealInput', { id }, 'seal { id assetId background }')

    expect(seal).toEqual({ id, assetId: asset.id, background: 'LIGHT' })
  })
})

describe('transport', () => {
  test('a failure stands in errors, each with a message, beside a null payload', async () => {
    const { data, errors } = await ask(
      world.owner.key,
      'mutation ($input: UpdateSealInput!) { updateSeal(input: $input) { seal { id } } }',
      { input: { id: '2147483646' } },
    )

    expect(data).toEqual({ updateSeal: null })
    expect(errors).toMatchObject([{ message: 'The seal 2147483646 was not found', path: ['updateSeal'] }])
  })
})
