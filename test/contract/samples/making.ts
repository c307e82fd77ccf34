// How a subject's record is created: by a mutation, as its owner.

import { administratorKey, run } from '../../testkit/client.ts'
import type { Person } from '../../testkit/world.ts'
import type { Kind } from './types.ts'

export type Subject = {
  companyId: string
  owner: Person
  /** The same record each time. */
  id: (kind: Kind) => Promise<string>
  /** A new record each time. */
  fresh: (kind: Kind) => Promise<string>
}

export type Maker = (subject: Subject) => Promise<string>

/** Makes a record by a mutation and answers with the id at `path` of its payload. */
export const made =
  (mutation: string, input: (subject: Subject) => Promise<object>, path: string): Maker =>
  async (subject) => {
    const type = inputTypes[mutation] ?? `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`
    const steps = path.split('.')
    const selection = `${steps.join(' { ')}${' }'.repeat(steps.length - 1)}`
    const data = await run(
      mutation === 'grantSslCertificateCredits' ? administratorKey() : subject.owner.key,
      `mutation ($input: ${type}!) { ${mutation}(input: $input) { ${selection} } }`,
      { input: await input(subject) },
    )
    const found = steps.reduce((value, step) => {
      const inner = value[step]
      return Array.isArray(inner) ? inner.at(-1) : inner
    }, data[mutation])
    return String(found)
  }

/** Inputs that are not called as their mutations are. */
const inputTypes: Readonly<Record<string, string>> = {
  createOrUpdateRequirement: 'RequirementInput',
  createOrUpdateHostBIntegration: 'CreateHostBIntegrationInput',
}
