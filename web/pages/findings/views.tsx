// A user's saved views of the list: choose one from a menu, save the current filters, or delete one.

import { Bookmark, ChevronDown, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { lateDialog } from '../../ui/late.tsx'
import { Menu, MenuGroup, MenuItem, MenuLine, MenuOneOf } from '../../ui/menu.tsx'
import { to } from '../../util/path-builder.ts'
import { type Asked, SavedViewsOf } from './documents.ts'

const ViewDialog = lateDialog(() => import('./view-dialog.tsx'))

/** Compares filters regardless of their order in the address. */
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
  const [open, setOpen] = useState<Asked | null>(null)
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
        <MenuItem disabledReason={mayNot} onSelect={() => setOpen('save')}>
          <Plus size={14} aria-hidden /> Save view…
        </MenuItem>
        {now && (
          <MenuItem disabledReason={mayNot} onSelect={() => setOpen({ remove: now })}>
            <Trash2 size={14} aria-hidden /> Delete “{now.name}”…
          </MenuItem>
        )}
      </Menu>
      {open && <ViewDialog companyId={companyId} filters={filters} asked={open} onClose={() => setOpen(null)} />}
    </>
  )
}
