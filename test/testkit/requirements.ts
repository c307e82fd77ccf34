// Requirements of projects that tests create through the endpoint.

import { run } from './client.ts'

const CREATE = `mutation ($input: CreateProjectRequirementInput!) { createProjectRequirement(input: $input) {
  projectRequirement { id activities { id title } } } }`

/** A requirement of the project with one activity for each title. */
export async function newProjectRequirement(
  key: string,
  projectId: string,
  titles: readonly string[],
): Promise<{ id: string; activities: { id: string; title: string }[] }> {
  const activities = titles.map((label) => ({ label, description: `How to ${label}` }))
  const input = { projectId, label: 'Inputs are tested', activities }
  return (await run(key, CREATE, { input })).createProjectRequirement.projectRequirement
}
