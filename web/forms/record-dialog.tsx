// The dialog that creates a record or edits one: its title and its button say which.

import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { type Filled, Form } from './form.tsx'

type Props = {
  /** What kind of record it is, such as `ticket`. */
  what: string
  isNew: boolean
  save: (filled: Filled) => Promise<void>
  onClose: () => void
  children: ReactNode
}

export const RecordDialog = ({ what, isNew, save, onClose, children }: Props) => (
  <Dialog title={`${isNew ? 'New' : 'Edit'} ${what}`} isOpen onClose={onClose}>
    <Form action={save} submit={isNew ? `Create ${what}` : 'Save'} onCancel={onClose}>
      {children}
    </Form>
  </Dialog>
)
