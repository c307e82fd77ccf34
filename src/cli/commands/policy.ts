// `merlon policy`: shows, sets and deletes a gate policy; `set` takes what `show --json` prints.

import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { jsonOf } from '../../core/json.ts'
import { request } from '../client.ts'
import { sizeOf } from '../files.ts'
import { findAsset, findCompany } from '../find.ts'
import { type OutputOptions, printJson, say } from '../output.ts'
import { WrongUse } from '../wrong-use.ts'

type Owner = { company?: string; asset?: string }
type Options = OutputOptions & Owner

type Rule = { name: string | null; decision: string; sentence: string }
type Policy = { scope: 'BUILT_IN' | 'COMPANY' | 'ASSET'; rules: Rule[] }

const FIELDS = 'scope rules { name subject severities types olderThanDays despiteReports limit decision sentence }'

const whose = { BUILT_IN: 'The built-in policy', COMPANY: "The company's policy", ASSET: "The asset's own policy" }

export function policy(group: Command): void {
  const command = (words: string, sentence: string) =>
    group
      .command(words)
      .description(sentence)
      .option('--company <id or label>')
      .option('--asset <id or name>', "the policy of this asset; without it, the company's")
      .option('--json')

  command('show', 'show the policy that applies; with --json, as the rules that set takes').action(
    async (options: Options) => {
      const { gatePolicy } = await request(
        `query ($companyId: ID!, $assetId: ID) { gatePolicy(companyId: $companyId, assetId: $assetId) { ${FIELDS} } }`,
        await ownerOf(options),
      )
      tell(gatePolicy, options)
    },
  )

  command('set <file>', 'replace the rules by those in a file, or in - for standard input').action(
    async (file: string, options: Options) => {
      const rules = await readRules(file)
      const { setGatePolicy } = await request(
        `mutation ($input: SetGatePolicyInput!) { setGatePolicy(input: $input) { gatePolicy { ${FIELDS} } } }`,
        { input: { ...(await ownerOf(options)), rules } },
      )
      tell(setGatePolicy.gatePolicy, options)
    },
  )

  command('delete', 'delete the policy, so that the company’s or the built-in one applies again').action(
    async (options: Options) => {
      const { deleteGatePolicy } = await request(
        `mutation ($input: DeleteGatePolicyInput!) { deleteGatePolicy(input: $input) { gatePolicy { ${FIELDS} } } }`,
        { input: await ownerOf(options) },
      )
      tell(deleteGatePolicy.gatePolicy, options)
    },
  )
}

async function ownerOf({ company, asset }: Owner): Promise<{ companyId: string; assetId: string | undefined }> {
  const companyId = await findCompany(company)
  return { companyId, assetId: asset === undefined ? undefined : await findAsset(companyId, asset) }
}

function tell({ scope, rules }: Policy, { json }: OutputOptions): void {
  if (json) {
    printJson(rules.map(({ sentence: _, ...rule }) => rule))
    return
  }
  say(`${whose[scope]}${rules.length === 0 ? ' has no rules: everything passes' : ':'}`)
  for (const { name, decision, sentence } of rules)
    say(`  ${decision.padEnd(5)}  ${name ? `${name}: ` : ''}${sentence}`)
}

/** A list of rules as in GateRuleInput; the service validates their content. */
async function readRules(file: string): Promise<unknown[]> {
  if (file !== '-') await sizeOf(file)
  const rules = jsonOf(file === '-' ? await text(process.stdin) : await readFile(file, 'utf8'))
  if (!Array.isArray(rules)) throw new WrongUse(`${file} is not a list of rules as merlon policy show --json prints it`)
  return rules
}
