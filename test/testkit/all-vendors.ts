// Fakes of all vendors at once: they accept every credential until told otherwise, and record each one that they see.

import { serveBoards } from './boards-fake.ts'
import type { Answer, Seen } from './exchanges.ts'
import { SNYK, TENABLE } from './scanners.ts'
import { serveTasks } from './tasks-fake.ts'
import { vendorContract } from './vendor-contract.ts'
import { type ClosedBy, json, serveVendor } from './vendor-fake.ts'

/** What HostA and HostB contain, in the endpoint's words. */
export const WORKSPACE = { id: 'acme', uuid: '{0f0f}', name: 'Acme Inc.' }
export const GROUP = { id: '2', name: 'All / acme' }
export const REPOSITORY = { id: '7', name: 'acme/shop', branches: ['main'] }

export type AllVendors = {
  /** Every credential that a vendor was sent, in order: the token, or the secret of a pair. */
  shown: string[]
  /** if false, each credential is refused with a message that repeats it */
  accepts: boolean
  end(): Promise<void>
}

/** `answers` is keyed by the path of a GET; `refuse` builds a refusal in the vendor's format. */
type Plain = {
  origin: string
  contract: string
  answers: Readonly<Record<string, unknown>>
  refuse: (words: string) => unknown
}

const bitbucket: Plain = {
  origin: 'https://api.bitbucket.org',
  contract: 'bitbucket/bitbucket',
  answers: {
    '/2.0/user/workspaces': {
      pagelen: 100,
      values: [
        {
          type: 'workspace_access',
          workspace: { type: 'workspace_base', uuid: WORKSPACE.uuid, slug: WORKSPACE.id },
        },
      ],
    },
    '/2.0/workspaces/acme': { type: 'workspace', uuid: WORKSPACE.uuid, slug: WORKSPACE.id, name: WORKSPACE.name },
  },
  refuse: (message) => ({ type: 'error', error: { message } }),
}

const gitlab: Plain = {
  origin: 'https://gitlab.com',
  contract: 'gitlab/gitlab',
  answers: {
    '/api/v4/user': { id: 1 },
    '/api/v4/groups': [{ id: Number(GROUP.id), name: 'acme', full_name: GROUP.name }],
    '/api/v4/projects': [{ id: Number(REPOSITORY.id), name: 'shop', path_with_namespace: REPOSITORY.name }],
    '/api/v4/projects/7/repository/branches': REPOSITORY.branches.map((name) => ({ name, commit: { id: 'a1' } })),
  },
  refuse: (message) => ({ message }),
}

const tenable: Plain = {
  origin: TENABLE,
  contract: 'tenable/tenable-vm',
  answers: { '/vulns/export/status': { exports: [] } },
  refuse: (error) => ({ error }),
}

const self = { id: 'a3952187-0d8e-45d8-9aa2-036642857b5b', type: 'service_account', attributes: { name: 'Merlon' } }
const snyk: Plain = {
  origin: SNYK,
  contract: 'snyk/snyk',
  answers: { '/rest/self': { jsonapi: { version: '1.0' }, links: {}, data: self } },
  refuse: (detail) => ({ errors: [{ detail }] }),
}

const plainVendors = [bitbucket, gitlab, tenable, snyk, { ...snyk, origin: 'https://api.eu.snyk.io' }]

export async function serveAllVendors(closedBy: ClosedBy = 'TEST'): Promise<AllVendors> {
  const ends: (() => Promise<void>)[] = []
  const vendors: AllVendors = {
    shown: [],
    accepts: true,
    end: async () => void (await Promise.all(ends.map((end) => end()))),
  }
  const noting = (refuse: Plain['refuse']) => (asked: Seen) => {
    const credential = credentialOf(asked)
    vendors.shown.push(credential)
    return vendors.accepts ? null : unauthorized(refuse(`${credential} is not known here`))
  }

  for (const { origin, contract, answers, refuse } of plainVendors) {
    const refused = noting(refuse)
    const answer = (asked: Seen) => {
      const found = asked.method === 'GET' ? answers[asked.path] : undefined
      return refused(asked) ?? (found === undefined ? null : json(found))
    }
    ends.push((await serveVendor(origin, answer, vendorContract(contract), closedBy)).end)
  }
  const boards = await serveBoards(vendorContract('azure-devops/azure-devops'), { closedBy })
  boards.trouble = noting((message) => ({ message }))
  const tasks = await serveTasks(vendorContract('clickup/clickup'), { closedBy })
  tasks.trouble = noting((err) => ({ err, ECODE: 'OAUTH_025' }))
  ends.push(boards.end, tasks.end)
  return vendors
}

/** Sent outside the contract check, because not every operation's description has this answer. */
const unauthorized = (words: unknown): Answer => ({
  write: (response) => {
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(words))
  },
})

function credentialOf({ headers }: Seen): string {
  const pair = headers['x-apikeys']
  if (pair !== undefined) return pair.split('secretKey=')[1] ?? ''
  const given = headers['private-token'] ?? headers.authorization ?? ''
  const [scheme, value] = given.split(' ')
  if (value === undefined) return given
  return scheme === 'Basic' ? (Buffer.from(value, 'base64').toString('utf8').split(':')[1] ?? '') : value
}
