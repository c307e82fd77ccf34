// Keys of every kind that may send a request about a company without owning it.

import { administratorKey, run } from '../../testkit/client.ts'
import { everyScope, newPerson } from '../../testkit/world.ts'
import type { Subject } from './types.ts'

export type Callers = {
  /** An owner whose key has only the scope `read`. */
  readOnly: string
  /** A reader whose key has every scope. */
  reader: string
  revoked: string
  /** An owner of another company. */
  foreign: string
  /** An owner of this company and another, whose key is restricted to the other. */
  heldElsewhere: string
  /** A former owner who is now a member of another company only. */
  former: string
}

const asked = (name: string, type: string, select: string) => (input: object) =>
  run(administratorKey(), `mutation ($input: ${type}!) { ${name}(input: $input) { ${select} } }`, { input })

const join = asked('createPortalUser', 'CreatePortalUserInput', 'portalUser { id }')
const issueKey = asked('createApiKey', 'CreateApiKeyInput', 'key')
const revoke = asked('revokeApiKey', 'RevokeApiKeyInput', 'apiKey { id }')
const change = asked('updatePortalUserAccess', 'UpdatePortalUserAccessInput', 'portalUserAccess { role }')

/** Creates all of them; only their keys differ, not what they ask. */
export async function newCallers(mine: Subject, theirs: Subject): Promise<Callers> {
  const ofBoth = async () => {
    const person = await newPerson(mine.companyId, 'OWNER')
    await join({ companyId: theirs.companyId, email: person.email, name: 'Of both', role: 'OWNER' })
    return person
  }
  const revoked = await newPerson(mine.companyId, 'OWNER')
  const { apiKeys } = await run(revoked.key, '{ apiKeys { id } }')
  await revoke({ id: apiKeys[0].id })
  const former = await ofBoth()
  await change({ companyId: mine.companyId, id: former.id, role: null })
  const held = { userId: (await ofBoth()).id, name: 'Held', scopes: everyScope, companyIds: [theirs.companyId] }
  return {
    readOnly: (await newPerson(mine.companyId, 'OWNER', ['read'])).key,
    reader: (await newPerson(mine.companyId, 'READER')).key,
    revoked: revoked.key,
    foreign: theirs.owner.key,
    heldElsewhere: (await issueKey(held)).createApiKey.key,
    former: former.key,
  }
}
