// The dialog that says which project of a tool an asset corresponds to.

import { useCallback, useRef, useState } from 'react'
import { useChange, useQuestion } from '../../api/ask.ts'
import { AssetField } from '../../choices/asset-field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { SearchField } from '../../forms/search-field.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Find } from '../../ui/search-offered.ts'
import { Associate, ExternalProjects } from './documents.ts'
import { Followed, useFollowed } from './followed.tsx'
import { type Hook, HookShown } from './hook-shown.tsx'
import { type Kind, kinds } from './kinds.ts'

type Props = { kind: Kind; integrationId: string; onClose: () => void; onDone: () => void | Promise<void> }

export default function Projects(props: Props) {
  const followed = useFollowed({ integrationId: props.integrationId })
  return (
    <Dialog title={`Projects of ${kinds[props.kind].name}`} isOpen onClose={props.onClose}>
      <div className="stack">
        <Followed list={followed} label="Linked projects" />
        <Follow {...props} />
      </div>
    </Dialog>
  )
}

type FollowProps = Omit<Props, 'onClose'> & { onClose?: () => void }

export function Follow({ kind, integrationId, onClose, onDone }: FollowProps) {
  const companyId = useCompanyId()
  const change = useChange()
  const find = useFindProjects(companyId, kind, integrationId)
  const name = useRef<string>(undefined)
  const [hook, setHook] = useState<Hook>()
  const associate = async (filled: Filled) => {
    const externalProjectId = filled.text('externalProjectId')
    const { associateProject } = await change(Associate, {
      input: { assetId: filled.text('assetId'), integrationId, externalProjectId, name: name.current },
    })
    say(`${name.current} linked.`)
    const webhook = associateProject?.webhook
    if (!webhook) return onDone()
    const { url, secret, token, events } = webhook
    const values = [
      { name: 'URL', value: url },
      { name: 'Secret', value: secret },
      { name: 'Token', value: token },
    ]
    setHook({ events, values })
  }
  if (hook) return <HookShown tool={kinds[kind].name} hook={hook} onClose={() => void onDone()} />
  return (
    <Form action={associate} submit="Link project" onCancel={onClose}>
      <SearchField
        name="externalProjectId"
        label="Project"
        hint="Projects this credential can access."
        required
        find={find}
        what="projects"
        onChoose={([project]) => {
          name.current = project?.name
        }}
      />
      <AssetField companyId={companyId} label="Asset" />
    </Form>
  )
}

function useFindProjects(companyId: string, kind: Kind, integrationId: string): Find {
  const question = useQuestion()
  return useCallback(
    async (words) => {
      const asked = { companyId, type: kind, integrationId, name: words || undefined }
      const { externalProjects } = await question(ExternalProjects, asked)
      return {
        options: externalProjects?.collection ?? [],
        total: externalProjects?.metadata.totalCount ?? 0,
        isExact: externalProjects?.metadata.totalCountIsExact ?? true,
      }
    },
    [companyId, kind, integrationId, question],
  )
}
