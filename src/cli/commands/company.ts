// `merlon company`: creates and lists companies.

import type { Command } from 'commander'
import { request } from '../client.ts'
import { type OutputOptions, printOne, printRows } from '../output.ts'
import { listAll, PAGE_METADATA } from '../pages.ts'

type Company = { id: string; label: string; createdAt: string }

export function company(group: Command): void {
  group
    .command('create <label>')
    .description('create a company (administrators only)')
    .option('--json')
    .action(async (label: string, options: OutputOptions) => {
      const { createCompany } = await request(
        'mutation ($label: String!) { createCompany(input: { label: $label }) { company { id label createdAt } } }',
        { label },
      )
      printOne(`Company ${createCompany.company.id}: ${label}`, createCompany.company, options)
    })

  group
    .command('list')
    .description('list the companies that your key can see')
    .option('--search <text>', 'part of the label')
    .option('--json')
    .action(async (options: OutputOptions & { search?: string }) => {
      const companies = await listAll<Company>(
        'companies',
        `query ($params: CompanySearch, $after: String) {
          companies(limit: 1000, params: $params, after: $after) { collection { id label createdAt } ${PAGE_METADATA} } }`,
        { params: options.search === undefined ? null : { labelCont: options.search } },
      )
      printRows(
        companies,
        [
          { title: 'ID', of: ({ id }) => id },
          { title: 'LABEL', of: ({ label }) => label },
          { title: 'CREATED', of: ({ createdAt }) => createdAt },
        ],
        options,
      )
    })
}
