// `merlon user`: disables and enables users.

import type { Command } from 'commander'
import { request } from '../client.ts'
import { type OutputOptions, printOne } from '../output.ts'

const FIELDS = 'id email name isAdministrator disabledAt'

export function user(group: Command): void {
  group
    .command('disable <id>')
    .description('stop a user from signing in, and all of the user’s keys from working')
    .option('--json')
    .action(async (id: string, options: OutputOptions) => {
      const { disablePortalUser } = await request(
        `mutation ($id: ID!) { disablePortalUser(input: { id: $id }) { portalUser { ${FIELDS} } } }`,
        { id },
      )
      const { portalUser } = disablePortalUser
      printOne(`${portalUser.email} is disabled`, portalUser, options)
    })

  group
    .command('enable <id>')
    .description('let a user sign in again')
    .option('--json')
    .action(async (id: string, options: OutputOptions) => {
      const { enablePortalUser } = await request(
        `mutation ($id: ID!) { enablePortalUser(input: { id: $id }) { portalUser { ${FIELDS} } } }`,
        { id },
      )
      const { portalUser } = enablePortalUser
      printOne(`${portalUser.email} is enabled`, portalUser, options)
    })
}
