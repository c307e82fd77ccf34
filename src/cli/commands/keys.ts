// `merlon keys`: creates, lists, rotates and revokes the caller's API keys.

import type { Command } from 'commander'
import { request } from '../client.ts'
import { findCompany } from '../find.ts'
import { type OutputOptions, printOne, printRows } from '../output.ts'
import { moment } from '../values.ts'

type Key = {
  id: string
  publicId: string
  name: string
  scopes: string[]
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
}

type NewKey = OutputOptions & { scope?: string[]; company?: string[]; user?: string; expires?: string }

const FIELDS = 'id publicId name scopes companyIds expiresAt lastUsedAt revokedAt'

export function keys(group: Command): void {
  group
    .command('create <name>')
    .description('create a key; it is shown only once')
    .option('--scope <scope...>', 'by default read and write')
    .option('--company <id or label...>', 'limit the key to these companies')
    .option('--user <id>', 'create the key for this user (administrators only)')
    .option('--expires <time>', 'when the key expires, ISO 8601', moment)
    .option('--json')
    .action(create)

  group.command('list').description('list your keys, and when each was last used').option('--json').action(list)

  group
    .command('rotate <id>')
    .description('replace a key by a new one; the old one stops working immediately')
    .option('--json')
    .action(rotate)

  group
    .command('revoke <id>')
    .description('revoke a key immediately')
    .option('--with-issued', 'also revoke the keys that it created, and those that these created')
    .option('--json')
    .action(revoke)
}

async function create(name: string, options: NewKey): Promise<void> {
  const input = {
    name,
    scopes: options.scope,
    companyIds: options.company && (await Promise.all(options.company.map(findCompany))),
    userId: options.user,
    expiresAt: options.expires,
  }
  const { createApiKey } = await request(
    `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key apiKey { ${FIELDS} } } }`,
    { input },
  )
  printOne(createApiKey.key, createApiKey, options)
}

async function list(options: OutputOptions): Promise<void> {
  const { apiKeys } = await request(`{ apiKeys { ${FIELDS} } }`)
  printRows<Key>(
    apiKeys,
    [
      { title: 'ID', of: (key) => key.id },
      { title: 'KEY', of: (key) => `mrl_${key.publicId}_…` },
      { title: 'NAME', of: (key) => key.name },
      { title: 'SCOPES', of: (key) => key.scopes.join(' ') },
      { title: 'LAST USED', of: (key) => key.lastUsedAt },
      { title: 'EXPIRES', of: (key) => (key.revokedAt ? 'revoked' : key.expiresAt) },
    ],
    options,
  )
}

async function rotate(id: string, options: OutputOptions): Promise<void> {
  const { rotateApiKey } = await request(
    `mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { key apiKey { ${FIELDS} } } }`,
    { id },
  )
  printOne(rotateApiKey.key, rotateApiKey, options)
}

async function revoke(id: string, options: OutputOptions & { withIssued?: boolean }): Promise<void> {
  const { revokeApiKey } = await request(
    `mutation ($input: RevokeApiKeyInput!) {
      revokeApiKey(input: $input) { apiKey { ${FIELDS} } alsoRevoked { id } } }`,
    { input: { id, withIssued: options.withIssued ?? false } },
  )
  const others = revokeApiKey.alsoRevoked.map((key: { id: string }) => key.id)
  const also = others.length === 0 ? '' : `, and with it ${others.join(', ')}`
  printOne(`Key ${id} is revoked${also}`, revokeApiKey, options)
}
