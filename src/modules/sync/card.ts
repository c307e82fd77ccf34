// The content of a new card about a finding.

import type { NewItem } from '../../connectors/tracker.ts'
import type { Config } from '../../core/config.ts'
import { linkTo, pages } from '../../core/console-links.ts'
import type { Id } from '../../core/ids.ts'
import type { Configured } from '../integrations/service.ts'
import type { Told } from './store.ts'

/** The tag by which a card is found again, even if the answer to its creation was lost. */
const keyOf = (issueId: Id): string => `platform-issue-${issueId}`

/** A tag on every card, for people to filter by. */
const TAG = 'merlon'

/** The most characters of a description. */
const LONGEST = 20_000

/** The fields of a finding that a mapping may name; others are left out. */
const fieldValues = (issueId: Id, told: Told, address: string | null): Record<string, string | null> => ({
  id: issueId,
  title: told.title,
  severity: told.severity,
  type: told.type,
  category: told.category,
  asset: told.assetName,
  fileName: told.path,
  toolName: told.toolName,
  url: address,
})

function describeCard(issueId: Id, told: Told, address: string | null): string {
  const where = told.path === null ? null : `${told.path}${told.line === null ? '' : `:${told.line}`}`
  const facts = [
    ['Severity', told.severity],
    ['Asset', told.assetName],
    ['Where', where],
    ['Category', told.category],
    ['Found by', told.toolName],
    ['Finding', address ?? issueId],
  ].flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
  const parts = [
    facts.join('\n'),
    told.description,
    told.solution && `Solution\n\n${told.solution}`,
    told.reference && `See\n\n${told.reference}`,
  ]
  return parts
    .filter((part) => part)
    .join('\n\n')
    .slice(0, LONGEST)
    .toWellFormed()
}

export function newItem(
  { companyId, issueId }: { companyId: Id; issueId: Id },
  told: Told,
  place: NewItem['place'],
  state: string,
  { fieldMappings }: Pick<Configured, 'fieldMappings'>,
  config: Pick<Config, 'publicUrl'>,
): NewItem {
  const address = linkTo(config, pages.finding({ companyId, issueId }))
  const values = fieldValues(issueId, told, address)
  const fields = fieldMappings.flatMap(({ internalField, externalField }) => {
    const value = values[internalField] ?? null
    return value === null ? [] : [[externalField, value] as const]
  })
  return {
    place,
    key: keyOf(issueId),
    title: told.title,
    description: describeCard(issueId, told, address),
    severity: told.severity,
    tags: [TAG],
    state,
    fields: Object.fromEntries(fields),
  }
}
