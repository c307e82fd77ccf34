// `merlon project`: creates and lists the projects of a company.

import type { Command } from 'commander'
import { request } from '../client.ts'
import { findAsset, findCompany } from '../find.ts'
import { type OutputOptions, printOne, printRows } from '../output.ts'
import { listAll, PAGE_METADATA } from '../pages.ts'
import { WrongUse } from '../wrong-use.ts'

type Project = { id: string; label: string; status: string; startDate: string; projectType: { label: string } }
type New = OutputOptions & {
  company?: string
  type: string
  goal: string
  scope: string
  start?: string
  asset?: string[]
}

const FIELDS = 'id label status startDate projectType { label }'

export function project(group: Command): void {
  group
    .command('create <label>')
    .description('create a project')
    .option('--company <id or label>')
    .option('--type <code>', 'the code of a project type', 'TM')
    .option('--goal <text>', 'purpose of the project', 'Find and fix weaknesses')
    .option('--scope <text>', 'scope of the project', 'The assets of the project')
    .option('--start <date>', 'by default today')
    .option('--asset <id or name...>')
    .option('--json')
    .action(create)

  group
    .command('list')
    .description('list projects')
    .option('--company <id or label>', 'only those of this company')
    .option('--json')
    .action(async (options: OutputOptions & { company?: string }) => {
      const companyId = options.company === undefined ? null : await findCompany(options.company)
      const projects = await listAll<Project>(
        'projects',
        `query ($companyId: ID, $after: String) {
          projects(limit: 1000, params: { companyId: $companyId }, after: $after) { collection { ${FIELDS} } ${PAGE_METADATA} } }`,
        { companyId },
      )
      printRows(
        projects,
        [
          { title: 'ID', of: ({ id }) => id },
          { title: 'LABEL', of: ({ label }) => label },
          { title: 'TYPE', of: ({ projectType }) => projectType.label },
          { title: 'STATUS', of: ({ status }) => status },
          { title: 'START', of: ({ startDate }) => startDate },
        ],
        options,
      )
    })
}

async function create(label: string, options: New): Promise<void> {
  const companyId = await findCompany(options.company)
  const assetsIds = await Promise.all((options.asset ?? []).map((named) => findAsset(companyId, named)))
  const input = {
    companyId: Number(companyId),
    label,
    goal: options.goal,
    scope: options.scope,
    startDate: options.start ?? new Date().toISOString().slice(0, 10),
    typeId: Number(await findType(options.type)),
    assetsIds: assetsIds.map(Number),
  }
  const { createProject } = await request(
    `mutation ($input: CreateProjectInput!) { createProject(input: $input) { project { ${FIELDS} } } }`,
    { input },
  )
  printOne(`Project ${createProject.project.id}: ${label}`, createProject.project, options)
}

async function findType(code: string): Promise<string> {
  const { projectTypes } = await request('{ projectTypes(limit: 100) { collection { id code } } }')
  const types: { id: string; code: string }[] = projectTypes.collection
  const type = types.find((known) => known.code === code.toUpperCase())
  if (!type)
    throw new WrongUse(`There is no project type ${code}; there are ${types.map((known) => known.code).join(', ')}`)
  return type.id
}
