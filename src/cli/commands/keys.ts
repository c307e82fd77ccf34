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

const FIELDS = 'id publicId name scopes companyIds expiresAt lastUsedAt revokedAt'

export function keys(group: Command): void {
  group
    .command('create <name>')
    .description('issue a key; it is shown this once')
    .option('--scope <scope...>', 'read and write unless said')
    .option('--company <id or label...>', 'hold the key to these companies')
    .option('--user <id>', 'whose key, for administrators')
    .option('--expires <time>', 'ISO 8601', moment)
    .option('--json')
    .action(
      async (
        name: string,
        options: OutputOptions & { scope?: string[]; company?: string[]; user?: string; expires?: string },
      ) => {
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
      },
    )

  group
    .command('list')
    .description('your keys, with when each was last used')
    .option('--json')
    .action(async (options: OutputOptions) => {
      const { apiKeys } = await request(`{ apiKeys { ${FIELDS} } }`)
      printRows<Key>(
        apiKeys,
        [
          { title: 'ID', of: (key) => key.id },
          { title: 'KEY', of: (key) => `mrl_${key.publicId}_…` },
          { title: 'NAME', of: (key) => key.name },
          { title: 'SCOPES', of: (key) => key.scopes.join(' ') },
          { title: 'LAST USED', of: (key) => key.lastUsedAt },
          { title: 'ENDS', of: (key) => (key.revokedAt ? 'revoked' : key.expiresAt) },
        ],
        options,
      )
    })

  group
    .command('rotate <id>')
    .description('a new key in the place of an old one, which ends at once')
    .option('--json')
    .action(async (id: string, options: OutputOptions) => {
      const { rotateApiKey } = await request(
        `mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { key apiKey { ${FIELDS} } } }`,
        { id },
      )
      printOne(rotateApiKey.key, rotateApiKey, options)
    })

  group
    .command('revoke <id>')
    .description('end a key at once')
    .option('--with-issued', 'also the keys that it issued, and those that these issued', false)
    .option('--json')
    .action(async (id: string, options: OutputOptions & { withIssued: boolean }) => {
      const { revokeApiKey } = await request(
        `mutation ($input: RevokeApiKeyInput!) {
          revokeApiKey(input: $input) { apiKey { ${FIELDS} } alsoRevoked { id } } }`,
        { input: { id, withIssued: options.withIssued } },
      )
      const others = revokeApiKey.alsoRevoked.map((key: { id: string }) => key.id)
      const also = others.length === 0 ? '' : `, with ${others.join(', ')} that it issued`
      printOne(`Key ${id} is revoked${also}`, revokeApiKey, options)
    })
}
