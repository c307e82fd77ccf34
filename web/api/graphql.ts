// The contract as TypeScript types, so that a document that does not match schema.graphql fails the type check.

import { initGraphQLTada } from 'gql.tada'
import type { introspection } from './schema.generated.d.ts'

export const graphql = initGraphQLTada<{
  introspection: introspection
  scalars: { ID: string; ISO8601DateTime: string; ISO8601Date: string; JSON: unknown; Upload: File }
  disableMasking: true
}>()

export type { ResultOf, VariablesOf } from 'gql.tada'

/** The values of an enum of the contract, such as `EnumOf<'IssueStatusLabel'>`. */
export type EnumOf<Name extends keyof Enums> = Enums[Name]
type Enums = {
  [Name in keyof introspection['types']]: introspection['types'][Name] extends { enumValues: infer Values }
    ? Values
    : never
}
