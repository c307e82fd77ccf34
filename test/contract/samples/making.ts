// Creates a subject's record by a mutation, as the company's owner.

import { administratorKey, run } from '../../testkit/client.ts'
import type { Subject } from './types.ts'

export type Maker = (subject: Subject) => Promise<string>

/** Creates a record with a mutation and returns the id at `path` in its payload. */
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

/** Input types whose names do not follow from their mutations' names. */
const inputTypes: Readonly<Record<string, string>> = {
  createOrUpdateRequirement: 'RequirementInput',
  createOrUpdateHostBIntegration: 'CreateHostBIntegrationInput',
}
