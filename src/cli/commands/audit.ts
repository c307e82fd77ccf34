// `merlon audit`: lists the audit records, and verifies their chain.

import type { Command } from 'commander'
import { type AuditFindings, verifyAudit } from '../../core/audit-chain.ts'
import { readConfig } from '../../core/config.ts'
import { openDatabase } from '../../core/db/open.ts'
import { OperatorError } from '../../core/errors.ts'
import { openKeyring } from '../../core/keyring.ts'
import { openInstallationKey, readRootKeys } from '../../core/root-key.ts'
import { request } from '../client.ts'
import { openInstallation } from '../database.ts'
import { findCompany } from '../find.ts'
import { counted, type OutputOptions, printRows, say } from '../output.ts'

type Shown = {
  at: string
  operation: string
  object: string
  address: string | null
  portalUser: { email: string } | null
}

/** Ids that are named; of more only the number is said. */
const MOST_NAMED = 20

export function audit(group: Command): void {
  group
    .command('list')
    .description(
      'list the latest changes in a company or, without --company, in the installation itself, such as keys (administrators only)',
    )
    .option('--company <id or label>', 'the changes in this company')
    .option('--search <text>', 'part of the operation, object, e-mail address, network address, key or request id')
    .option('--json')
    .action(async (options: OutputOptions & { company?: string; search?: string }) => {
      const { auditRecords } = await request(
        `query ($companyId: ID, $search: String) {
          auditRecords(companyId: $companyId, search: $search, pagination: { perPage: 50 }) {
          collection { id at operation object address keyPublicId portalUser { email } before after } } }`,
        {
          companyId: options.company === undefined ? null : await findCompany(options.company),
          search: options.search,
        },
      )
      printRows<Shown>(
        auditRecords.collection,
        [
          { title: 'AT', of: ({ at }) => at },
          { title: 'WHO', of: ({ portalUser }) => portalUser?.email ?? null },
          { title: 'FROM', of: ({ address }) => address },
          { title: 'OPERATION', of: ({ operation }) => operation },
          { title: 'OBJECT', of: ({ object }) => object },
        ],
        options,
      )
      if (options.company === undefined && !options.json) {
        say("These are the installation's own records; --company <id or label> lists a company's")
      }
    })

  group
    .command('verify')
    .description(
      'check every record and the chain of records, directly in the database; exits with 1 if something is wrong',
    )
    .action(verify)
}

async function verify(): Promise<void> {
  const config = readConfig(process.env)
  const { connection, close } = await openInstallation(config)
  try {
    const { db } = openDatabase({ connection, connections: 1, statementTimeout: 0 })
    const found = await check(db, config).finally(() => db.destroy())
    const faults = faultsOf(found)
    if (faults.length > 0) throw new OperatorError(faults.join('\n'))
    say(`${counted(found.records, 'record is as it was', 'records are as they were')} written, and none is missing`)
  } finally {
    await close()
  }
}

async function check(
  db: Parameters<typeof verifyAudit>[0],
  config: ReturnType<typeof readConfig>,
): Promise<AuditFindings> {
  const keys = await readRootKeys(db, config)
  return verifyAudit(db, openKeyring(keys, await openInstallationKey(db, keys)).auditKey)
}

function faultsOf({ records, broken, gaps }: AuditFindings): string[] {
  const before = gaps.filter((gap) => gap !== 'end')
  return [
    ...(broken.length > 0
      ? [`${broken.length} of ${records} records changed after they were written: ${named(broken)}`]
      : []),
    ...(before.length > 0 ? [`Records are missing before ${before.length} others: ${named(before)}`] : []),
    ...(gaps.includes('end') ? ['The last records are missing'] : []),
  ]
}

const named = (ids: readonly string[]): string =>
  `${ids.slice(0, MOST_NAMED).join(', ')}${ids.length > MOST_NAMED ? ', …' : ''}`
