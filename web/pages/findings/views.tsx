// The views that a person keeps of the list: chosen from a menu, saved under a name, deleted.

import { Bookmark, ChevronDown, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useAsk, useChange } from '../../api/ask.ts'
import { graphql, type ResultOf } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { TextField } from '../../forms/field.tsx'
import { Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, MenuGroup, MenuItem, MenuLine, MenuOneOf } from '../../ui/menu.tsx'
import { to } from '../../util/path-builder.ts'

const SavedViewsOf = graphql(`
  query SavedViews($companyId: ID!) {
    savedViews(companyId: $companyId) {
      id
      name
      filters
    }
  }
`)

const SaveView = graphql(`
  mutation SaveView($companyId: ID!, $name: String!, $filters: String!) {
    saveView(input: { companyId: $companyId, name: $name, filters: $filters }) {
      savedView {
        id
        name
        filters
      }
    }
  }
`)

const DeleteView = graphql(`
  mutation DeleteView($id: ID!) {
    deleteSavedView(input: { id: $id }) {
      id
    }
  }
`)

type View = ResultOf<typeof SavedViewsOf>['savedViews'][number]
type Open = 'save' | { remove: View }

/** The same filters, whatever order they stand in. */
const sameFilters = (left: string, right: string): boolean => {
  const sorted = (text: string) => {
    const params = new URLSearchParams(text)
    params.sort()
    return params.toString()
  }
  return sorted(left) === sorted(right)
}

export function SavedViews({ companyId }: { companyId: string }) {
  const { search } = useLocation()
  const { session } = useSession()
  const navigate = useNavigate()
  const { data } = useAsk(SavedViewsOf, { companyId }, { affectedBy: ['SavedView'] })
  const [open, setOpen] = useState<Open | null>(null)
  const views = data?.savedViews ?? []
  const filters = search.replace(/^\?/, '')
  const now = views.find((view) => sameFilters(view.filters, filters))
  const mayNot = whyNot(session, companyId, 'views:write')
  const choose = (id: string) => {
    const view = views.find((one) => one.id === id)
    if (view) navigate(to.findings({ companyId }, view.filters))
  }
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button>
            <Bookmark size={14} aria-hidden />
            {now ? `View: ${now.name}` : 'Views'}
            <ChevronDown size={14} aria-hidden />
          </Button>
        }
      >
        {views.length > 0 && (
          <>
            <MenuGroup label="Your views">
              <MenuOneOf
                value={now?.id ?? ''}
                onChange={choose}
                options={views.map(({ id, name }) => ({ value: id, label: name }))}
              />
            </MenuGroup>
            <MenuLine />
          </>
        )}
        <MenuItem onSelect={() => (mayNot === undefined ? setOpen('save') : say(mayNot, 'bad'))}>
          <Plus size={14} aria-hidden /> Save these filters…
        </MenuItem>
        {now && mayNot === undefined && (
          <MenuItem onSelect={() => setOpen({ remove: now })}>
            <Trash2 size={14} aria-hidden /> Delete “{now.name}”…
          </MenuItem>
        )}
      </Menu>
      {open && <Dialogs companyId={companyId} filters={filters} open={open} onClose={() => setOpen(null)} />}
    </>
  )
}

type DialogsProps = { companyId: string; filters: string; open: Open; onClose: () => void }

function Dialogs({ companyId, filters, open, onClose }: DialogsProps) {
  const change = useChange()
  if (open !== 'save') {
    const { id, name } = open.remove
    const remove = async () => {
      await change(DeleteView, { id }, ['SavedView'])
      say(`The view “${name}” is deleted.`)
    }
    return (
      <Confirm
        title={`Delete the view “${name}”`}
        description="The findings stay as they are."
        submit="Delete it"
        action={remove}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog
      title="Save these filters"
      description="They are kept for you alone, in this company. A name that you have takes them anew."
      isOpen
      onClose={onClose}
    >
      <Form
        action={async (filled) => {
          const name = filled.text('name').trim()
          await change(SaveView, { companyId, name, filters }, ['SavedView'])
          say(`The view “${name}” is saved.`)
          onClose()
        }}
        submit="Save"
        onCancel={onClose}
      >
        <TextField name="name" label="Name" required autoFocus maxLength={100} />
      </Form>
    </Dialog>
  )
}
