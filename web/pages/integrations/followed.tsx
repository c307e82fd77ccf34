// The links between assets and projects of outside tools, for one asset or one tool: how changes are noticed, and how to stop following.

import { Link } from 'react-router'
import { useChange } from '../../api/ask.ts'
import { type EnumOf, graphql, type ResultOf } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { Rest } from '../../table/rest.tsx'
import { type List, useList } from '../../table/use-list.ts'
import { Awaited, Failed } from '../../ui/answered.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { to } from '../../util/path-builder.ts'
import { toolName, withToolNames } from '../../util/words.ts'
import styles from './integrations.module.css'

const AssociatedProjects = graphql(`
  query AssociatedProjects($companyId: ID!, $assetId: ID, $integrationId: ID, $after: String) {
    associatedProjects(
      companyId: $companyId
      assetId: $assetId
      integrationId: $integrationId
      pagination: { perPage: 50, after: $after }
    ) {
      collection {
        id
        name
        watch
        failure
        lastDeliveryAt
        lookedAt
        asset { id name }
        integration { integrationType }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

const Dissociate = graphql(`
  mutation Dissociate($input: DissociateProjectInput!) {
    dissociateProject(input: $input) { id }
  }
`)

export type Associated = ResultOf<typeof AssociatedProjects>['associatedProjects']['collection'][number]

const watched: Record<EnumOf<'SourceWatch'>, string> = {
  HOOK: 'Changes arrive by webhook.',
  POLL: 'No webhook; polled every ten minutes.',
  NONE: '',
}

export function useFollowed(of: { assetId: string } | { integrationId: string }): List<Associated> {
  const companyId = useCompanyId()
  return useList(AssociatedProjects, { companyId, ...of }, ({ associatedProjects }) => associatedProjects)
}

type Props = {
  list: List<Associated>
  label: string
  /** Whether the list is that of one asset rather than of one tool. */
  isOfAsset?: boolean
}

export function Followed({ list, label, isOfAsset = false }: Props) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  const mayNot = whyNot(session, companyId, 'integrations:write')
  const stop = async ({ id, name }: Associated) => {
    await change(Dissociate, { input: { id } })
    say(`${name} unlinked.`)
    await list.again()
  }
  if (list.isWaiting) return <Awaited lines={2} />
  return (
    <>
      {list.failure && <Failed failure={list.failure} again={() => void list.again()} />}
      {list.rows.length > 0 && (
        <section>
          <h2>{label}</h2>
          <ul className={styles.mappings} aria-label={label}>
            {list.rows.map((one) => (
              <li key={one.id}>
                <span className="words">
                  {isOfAsset ? (
                    `${toolName(one.integration.integrationType)}: ${one.name}. `
                  ) : (
                    <>
                      {one.name} → <Link to={to.asset({ companyId, assetId: one.asset.id })}>{one.asset.name}</Link>.{' '}
                    </>
                  )}
                  <span className="muted">
                    {watched[one.watch]} <Heard of={one} />
                  </span>
                  {one.failure !== null && <span className={styles.failure}> {withToolNames(one.failure)}</span>}
                </span>
                <DeleteButton
                  what={one.name}
                  verb="Unlink"
                  size="small"
                  label={`Unlink ${one.name}`}
                  description="Existing data stays. No new data arrives until the project is linked again."
                  submit="Unlink"
                  disabledReason={mayNot}
                  action={() => stop(one)}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      <Rest of={list} what="project" />
    </>
  )
}

function Heard({ of: { lastDeliveryAt, lookedAt } }: { of: Associated }) {
  if (lastDeliveryAt !== null) {
    return (
      <>
        Last webhook <Moment at={lastDeliveryAt} />.
      </>
    )
  }
  if (lookedAt === null) return null
  return (
    <>
      Last polled <Moment at={lookedAt} />.
    </>
  )
}
